/** Checks the imports between layers: which layer may import which, and which packages each one uses. */
import { describe, expect, it } from 'vitest';
import { layerOf, readSourceFiles, type SourceFile } from './source-files.js';

/** What a layer may import: layers, types and folders of other layers, and packages. */
interface LayerRule {
  readonly layers: readonly string[];
  readonly types?: readonly string[];
  /** Folders inside another layer that this one may import from. */
  readonly folders?: readonly string[];
  readonly packages: readonly string[];
}

const RULES: Readonly<Record<string, LayerRule>> = {
  // Every layer may import `util`.
  util: { layers: [], packages: [] },
  engine: { layers: [], packages: [] },
  're2-syntax': { layers: [], packages: [] },
  analysis: { layers: ['engine', 'regex', 're2-syntax'], packages: [] },
  builder: { layers: ['engine'], packages: [] },
  codegen: { layers: ['engine', 'regex', 're2-syntax'], packages: ['node:crypto'] },
  convert: { layers: ['engine'], packages: [] },
  describe: { layers: ['engine'], packages: ['intl-messageformat'] },
  'policy-set': { layers: ['engine'], packages: [] },
  'policy-tests': { layers: ['engine', 'analysis', 'regex'], packages: [] },
  client: {
    layers: [],
    types: ['engine', 'builder', 'service'],
    folders: ['system/clock.ts'],
    packages: ['oauth4webapi'],
  },
  sql: { layers: ['engine', 're2-syntax'], packages: [] },
  workers: { layers: ['engine', 'regex'], packages: ['node:os', 'node:url', 'node:worker_threads'] },
  regex: { layers: ['re2-syntax'], types: ['engine'], packages: ['re2js', 're2-wasm'] },
  testing: { layers: ['engine', 'vectors'], packages: ['fast-check'] },
  vectors: { layers: [], packages: ['node:fs', 'node:url', 'node:util', 'node:zlib'] },
  service: { layers: ['engine', 'analysis'], packages: ['@noble/hashes', 'date-fns', '@date-fns/utc'] },
  system: {
    layers: [],
    types: ['service', 'engine'],
    // Signed JSON is parsed as strictly as a request body, its instants as those of credentials in JSON, and its keys as those of clients;
    // `service/ports/` also defines an error class, which `system` throws.
    folders: ['engine/claims/instant', 'service/json/', 'service/keys/public-jwk', 'service/ports/'],
    packages: ['node:crypto', 'jose', 'oauth4webapi'],
  },
  stores: {
    layers: ['sql'],
    types: ['service', 'engine'],
    folders: ['service/ports/', 'service/authorization/'],
    packages: ['kysely', 'libsql', 'pg', '@duckdb/node-api', 'node:fs', 'node:path'],
  },
  http: {
    layers: ['service', 'engine', 'describe'],
    // Scripts for browsers, imported as text.
    folders: ['web/design/', 'web/pages/'],
    packages: ['node:http', 'node:buffer', 'node:crypto', 'node:net', 'node:stream'],
  },
  // Logs and metrics for operators.
  telemetry: { layers: [], types: ['http', 'service'], packages: ['pino', 'prom-client', 'node:http'] },
  web: {
    layers: ['engine', 'analysis', 'describe'],
    // The sandbox's people, derived claims and the status of credentials, without the server.
    folders: [
      'service/sandbox/people',
      'service/claims/',
      'service/catalogue/',
      'service/credentials/credential-status',
      'regex/',
      'system/clock',
    ],
    packages: ['preact', '@codemirror', '@lezer'],
  },
  // The package entry exports re2js next to the engine; `proviso/internal` also exports parts of `describe` and `sql`.
  '': { layers: ['engine', 'describe', 'regex', 'sql'], packages: [] },
};

/** The layers of the engine, lowest first: a file imports values only from the same layer or a lower one. */
const ENGINE_LAYERS: readonly (readonly string[])[] = [
  ['value-types.ts', 'names.ts', 'options.ts', 'problems.ts', 'regex-engine.ts', 'errors.ts', 'result.ts'],
  ['claims/', 'scopes/'],
  ['operators/', 'lenses.ts'],
  ['query/'],
  ['evaluate.ts', 'compile/'],
  ['bulk/'],
  ['catalogue/', 'checked-claims.ts'],
  ['engine.ts'],
  ['index.ts'],
];

const files = readSourceFiles();

describe('dependencies between layers', () => {
  for (const layer of Object.keys(RULES)) {
    it(`${layer === '' ? 'the package entry' : layer} imports only what its rule allows`, () => {
      expect(files.filter((file) => file.layer === layer).flatMap(violations)).toEqual([]);
    });
  }

  it('every layer except `cli` has a rule', () => {
    const layers = new Set(files.map((file) => file.layer));
    expect([...layers].filter((layer) => layer !== 'cli' && RULES[layer] === undefined)).toEqual([]);
  });
});

describe('dependencies inside the engine', () => {
  const engine = files.filter((file) => file.layer === 'engine');

  it('lead from a file to the same layer or a lower one, apart from types', () => {
    const wrong = engine.flatMap((file) =>
      file.imports
        .filter((edge) => !edge.typeOnly && edge.target?.startsWith('engine/'))
        .filter((edge) => engineLayerOf(edge.target ?? '') > engineLayerOf(file.path))
        .map((edge) => `${file.path} → ${edge.target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are checked for every file of the engine', () => {
    const unlisted = engine.filter(({ path }) => !Number.isFinite(engineLayerOf(path)));
    expect(unlisted.map(({ path }) => path)).toEqual([]);
  });
});

it('the reference interpreter does not import the evaluator or the parser', () => {
  const forbidden =
    /^engine\/(claims\/(claim-json|claim-set|json-value|instant)|compile\/|bulk\/|query\/|operators\/(?!operator)|lenses|evaluate|engine|index)/;
  const interpreter = files.filter((file) => file.path.startsWith('testing/reference'));
  expect(interpreter).not.toEqual([]);
  const shared = interpreter.flatMap((file) =>
    file.imports
      .filter((edge) => !edge.typeOnly && forbidden.test(edge.target ?? ''))
      .map((edge) => edge.specifier),
  );
  expect(shared).toEqual([]);
});

function violations(file: SourceFile): string[] {
  const rule = RULES[file.layer];
  if (rule === undefined) return [`${file.path}: no rule`];
  return file.imports.flatMap(({ specifier, target, typeOnly }) => {
    if (target === undefined) {
      const allowed = rule.packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
      const typesOfNode = file.layer === 'service' && typeOnly && specifier.startsWith('node:');
      return allowed || typesOfNode ? [] : [`${file.path} imports the package ${specifier}`];
    }
    const layer = layerOf(target);
    const allowed =
      layer === file.layer ||
      layer === 'util' ||
      rule.layers.includes(layer) ||
      (typeOnly && (rule.types ?? []).includes(layer)) ||
      (rule.folders ?? []).some((folder) => target.startsWith(folder));
    return allowed ? [] : [`${file.path} imports ${target}`];
  });
}

/** The index of a file's layer in {@link ENGINE_LAYERS}; infinite if the list does not contain it. */
function engineLayerOf(path: string): number {
  const inside = path.slice('engine/'.length);
  const index = ENGINE_LAYERS.findIndex((names) =>
    names.some((name) => inside === name || (name.endsWith('/') && inside.startsWith(name))),
  );
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}
