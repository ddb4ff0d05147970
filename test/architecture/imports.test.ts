/** Checks the imports between layers: which layer may import which, and which packages each one uses. */
import { describe, expect, it } from 'vitest';
import { readSourceFiles, roomOf, type SourceFile } from './source-files.js';

/** The rule of a layer: the layers that it may import, those of which it may import types, and its packages. */
interface RoomRule {
  readonly rooms: readonly string[];
  readonly types?: readonly string[];
  /** Folders inside another layer that this one may import from. */
  readonly folders?: readonly string[];
  readonly packages: readonly string[];
}

const RULES: Readonly<Record<string, RoomRule>> = {
  // Every layer may import it.
  util: { rooms: [], packages: [] },
  engine: { rooms: [], packages: [] },
  're2-syntax': { rooms: [], packages: [] },
  analysis: { rooms: ['engine', 'regex', 're2-syntax'], packages: [] },
  builder: { rooms: ['engine'], packages: [] },
  client: {
    rooms: [],
    types: ['engine', 'builder', 'service'],
    folders: ['system/clock.ts'],
    packages: ['oauth4webapi'],
  },
  sql: { rooms: ['engine', 're2-syntax'], packages: [] },
  workers: { rooms: ['engine', 'regex'], packages: ['node:os', 'node:url', 'node:worker_threads'] },
  regex: { rooms: ['re2-syntax'], types: ['engine'], packages: ['re2js', 're2-wasm'] },
  testing: { rooms: ['engine'], packages: ['fast-check'] },
  service: { rooms: ['engine', 'analysis'], packages: ['date-fns', '@date-fns/utc'] },
  system: {
    rooms: [],
    types: ['service', 'engine'],
    // Signed JSON is parsed as strictly as a request body.
    folders: ['service/json/'],
    packages: ['node:crypto', 'jose'],
  },
  stores: {
    rooms: ['sql'],
    types: ['service', 'engine'],
    folders: ['service/ports/', 'service/authorization/'],
    packages: ['kysely', 'libsql', 'pg', '@duckdb/node-api', 'node:fs', 'node:path'],
  },
  http: {
    rooms: ['service', 'engine'],
    // Scripts for browsers, which it imports as text.
    folders: ['web/design/', 'web/pages/'],
    packages: ['node:http', 'node:buffer', 'node:crypto', 'node:net', 'node:stream'],
  },
  // Logs and metrics for operators.
  telemetry: { rooms: [], types: ['http', 'service'], packages: ['pino', 'prom-client', 'node:http'] },
  web: {
    rooms: ['engine', 'analysis'],
    // The sandbox's people and derived claims, without its server.
    folders: ['service/sandbox/people', 'service/claims/', 'service/catalogue/', 'regex/', 'system/clock'],
    packages: ['preact', '@codemirror', '@lezer'],
  },
  // The package entry passes re2js to the engine.
  '': { rooms: ['engine', 'regex'], packages: [] },
};

/** The layers of the engine, lowest first: a file imports from its own layer or a lower one. */
const ENGINE_FLOORS: readonly (readonly string[])[] = [
  ['problems.ts', 'regex-engine.ts', 'errors.ts', 'result.ts'],
  ['claims/', 'scopes/'],
  ['operators/', 'lenses.ts'],
  ['query/'],
  ['evaluate.ts', 'compile/'],
  ['bulk/'],
  ['index.ts'],
];

const files = readSourceFiles();

describe('dependencies between layers', () => {
  for (const room of Object.keys(RULES)) {
    it(`${room === '' ? 'the package entry' : room} imports only what its rule allows`, () => {
      expect(files.filter((file) => file.room === room).flatMap(violations)).toEqual([]);
    });
  }

  it('every layer has a rule', () => {
    const rooms = new Set(files.map((file) => file.room));
    expect([...rooms].filter((room) => room !== 'cli' && RULES[room] === undefined)).toEqual([]);
  });
});

describe('dependencies inside the engine', () => {
  it('follow the order claims ← operators, lenses ← query ← compile', () => {
    const engine = files.filter((file) => file.room === 'engine');
    const wrong = engine.flatMap((file) =>
      file.imports
        .filter((edge) => !edge.typeOnly && edge.target?.startsWith('engine/'))
        .filter((edge) => floorOf(edge.target ?? '') > floorOf(file.path))
        .map((edge) => `${file.path} → ${edge.target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are not shared with the reference interpreter', () => {
    const forbidden =
      /^engine\/(claims\/(claim-set|json-value|instant)|compile\/|operators\/(?!operator)|lenses|evaluate)/;
    const interpreter = files.filter((file) => file.path.startsWith('testing/reference'));
    const shared = interpreter.flatMap((file) =>
      file.imports
        .filter((edge) => !edge.typeOnly && forbidden.test(edge.target ?? ''))
        .map((edge) => edge.specifier),
    );
    expect(shared).toEqual([]);
  });
});

function violations(file: SourceFile): string[] {
  const rule = RULES[file.room];
  if (rule === undefined) return [`${file.path}: no rule`];
  return file.imports.flatMap(({ specifier, target, typeOnly }) => {
    if (target === undefined) {
      const allowed = rule.packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
      const typesOfNode = file.room === 'service' && typeOnly && specifier.startsWith('node:');
      return allowed || typesOfNode ? [] : [`${file.path} imports the package ${specifier}`];
    }
    const room = roomOf(target);
    const allowed =
      room === file.room ||
      room === 'util' ||
      rule.rooms.includes(room) ||
      (typeOnly && (rule.types ?? []).includes(room)) ||
      (rule.folders ?? []).some((folder) => target.startsWith(folder));
    return allowed ? [] : [`${file.path} imports ${target}`];
  });
}

function floorOf(path: string): number {
  const inside = path.slice('engine/'.length);
  const floor = ENGINE_FLOORS.findIndex((names) =>
    names.some((name) => inside === name || (name.endsWith('/') && inside.startsWith(name))),
  );
  return floor < 0 ? Number.POSITIVE_INFINITY : floor;
}
