/** Checks that generated modules give the verdicts and the evidence of the engine. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import * as re2jsModule from 're2js';
import { afterAll, expect, it } from 'vitest';
import { generateModule } from '../../src/codegen/index.js';
import {
  EDGE_CASES,
  evaluateWithEngine,
  firstDifference,
  policyAndPeople,
  toModuleCases,
} from '../conformance/codegen/module-cases.js';
import { regex } from './law.js';

const RUNNER = fileURLToPath(new URL('../conformance/codegen/run-cases.mjs', import.meta.url));
const evaluated = [...EDGE_CASES, ...fc.sample(policyAndPeople(4), { seed: 11_232_026, numRuns: 400 })].map(
  (each) => evaluateWithEngine(each, regex),
);
const cases = evaluated.map((each) => toModuleCases(each, generateModule));
const folder = mkdtempSync(join(tmpdir(), 'proviso-codegen-'));

afterAll(() => rmSync(folder, { recursive: true }));

// L14–L22, S156
it('generated modules give the verdicts and the bytes of the engine, for records and claim sets', () => {
  const differences = evaluated.flatMap(
    (each, index) => firstDifference(each, cases[index]?.cjs ?? '', re2jsModule) ?? [],
  );
  expect(differences).toEqual([]);
  const verdicts = cases.flatMap((each) => each.cases.map(({ test }) => test));
  expect(verdicts.filter((verdict) => verdict === 'true').length).toBeGreaterThan(verdicts.length / 4);
  expect(verdicts.filter((verdict) => verdict === 'false').length).toBeGreaterThan(verdicts.length / 4);
});

it('generated modules give the same results in a process without Proviso, as ECMAScript modules and as CommonJS', () => {
  const file = join(folder, 'cases.json');
  writeFileSync(file, JSON.stringify(cases));
  const printed = execFileSync(process.execPath, [RUNNER, file, import.meta.resolve('re2js')], {
    encoding: 'utf8',
  });
  expect(JSON.parse(printed)).toEqual([]);
});
