/** Modules generated ahead of time by `proviso/codegen`: `test` and `evaluate` on plain records. */
import * as re2js from 're2js';
import manifest from '../../package.json' with { type: 'json' };
import { generateModule } from '../../src/codegen/index.js';
import type { PolicyItem, PredicateResult } from '../../src/index.js';
import { NOW, type Person } from '../scenarios/people.js';
import type { Scenario } from '../scenarios/scenario.js';
import { keep } from '../timing/keep.js';
import type { Contender } from './contender.js';

type ClaimRecord = Readonly<Record<string, unknown>>;

interface ModuleExports {
  readonly test: (record: ClaimRecord) => boolean;
  readonly evaluate: (record: ClaimRecord, options: { readonly now: number }) => PredicateResult;
}

const about = { version: manifest.version, kind: 'ours' } as const;

/** `test` of a generated module. */
export const generatedModuleTest: Contender = {
  ...about,
  name: 'Proviso generated module, test()',
  note: '`proviso compile`: a module without dependencies, on plain records',
  supports: () => true,
  prepare: ({ query, people }) => ({
    mode: 'sync',
    inputs: people.map(toRecord),
    passes: load(query, false).test,
  }),
};

/** `evaluate` of a generated module. */
export const generatedModuleEvaluate: Contender = {
  ...about,
  name: 'Proviso generated module, evaluate()',
  note: 'with complete evidence',
  supports: () => true,
  prepare: ({ query, people }: Scenario) => {
    const { evaluate } = load(query, true);
    const options = { now: NOW };
    return {
      mode: 'sync',
      inputs: people.map(toRecord),
      passes: (record: ClaimRecord) => keep(evaluate(record, options)).passed,
    };
  },
};

/** Runs the text of a CommonJS module, as `require` does. */
function load(query: PolicyItem, evidence: boolean): ModuleExports {
  const exports = {};
  const { code } = generateModule(query, { format: 'cjs', evidence });
  new Function('exports', 'require', code)(exports, () => re2js);
  return exports as ModuleExports;
}

/** A person's claims by path, in the order of the flat claims. */
function toRecord({ flat }: Person): ClaimRecord {
  const claims = Object.entries(flat).map(([name, value]) => [name.replace('_', '.'), value]);
  // Through JSON, as in practice, since objects built in a loop may have slow dictionary mode.
  return JSON.parse(JSON.stringify(Object.fromEntries(claims))) as ClaimRecord;
}
