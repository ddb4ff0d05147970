/**
 * Fused checks, which read, test and continue in one closure, have the same outcomes as checks that are compiled from the table of operators
 * (L14–L19, L21).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fusedChecks } from '../../build/write-fused-checks.js';
import { OPERATORS } from '../../src/engine/operators/operators.js';
import { ClaimSet, re2js as regex } from '../../src/index.js';
import { checkConformance } from '../../src/testing/index.js';
import { compile } from '../support/with-re2js.js';
import { readVectorFiles } from '../vectors/vector-files.js';
import { buildEngine } from './build-engine.js';
import { engineEvaluator } from './engine-evaluator.js';

const FILE = 'compile/fused-checks.ts';
const PATH = fileURLToPath(new URL(`../../src/engine/${FILE}`, import.meta.url));

it('the generated file of fused checks matches its generator (if not, run `npm run generate`)', async () => {
  const withoutLayout = async (text: string) =>
    (await transform(text, { loader: 'ts', minifyWhitespace: true, minifySyntax: true })).code;
  expect(await withoutLayout(readFileSync(PATH, 'utf8'))).toBe(await withoutLayout(fusedChecks()));
});

// L14–L18
it('a fused check passes exactly when the test of its operator passes', () => {
  const text = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('true', '1', 'a', 'b', ''));
  const number = fc.oneof(
    fc.integer({ min: -2, max: 2 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(-0),
  );
  const list = fc.array(text, { maxLength: 6 });
  const check = fc.oneof(
    fc.record({ operator: fc.constant('==' as const), value: fc.oneof(text, number, fc.boolean()) }),
    fc.record({ operator: fc.constantFrom('>', '>=', '<', '<='), value: number }),
    fc.record({ operator: fc.constantFrom('in', 'notIn'), value: list }),
  );
  const value = fc.oneof(text, number, fc.boolean(), fc.constant(null), list);
  fc.assert(
    fc.property(check, value, ({ operator, value: operand }, actual) => {
      const claims = ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims: { 'a.b': actual } }], 0);
      const passes = OPERATORS[operator].test(operand as never)(actual);
      const query = { check: { claim: 'a.b', operator, value: operand } };
      expect(compile(query).test(claims)).toBe(passes);
      // A fused check has a separate form for each position: other items follow if it passes, if it fails, or in both cases.
      const other = { check: { claim: 'a.c', operator: 'isDefined' } };
      const [continuesOnPass, continuesOnFail] = [
        { policy: { allOf: [query, query] } },
        { policy: { anyOf: [query, query] } },
      ];
      const continuesOnBoth = {
        policy: { anyOf: [{ policy: { allOf: [query, { policy: { not: other } }] } }, other] },
      };
      for (const policy of [continuesOnPass, continuesOnFail, continuesOnBoth])
        expect(compile(policy).test(claims)).toBe(passes);
      expect(compile({ policy: { not: query } }).test(claims)).toBe(!passes);
    }),
    { seed: 20_261_123, numRuns: 5_000 },
  );
});

it('the engine without fused checks conforms to the vectors and the reference interpreter', async () => {
  const engine = await buildEngine(FILE, () => 'export function fuseCheck() { return undefined; }');
  const report = await checkConformance(engineEvaluator(regex, engine), {
    regex,
    vectors: readVectorFiles().flatMap(({ vectors }) => vectors),
    seed: 20_261_123,
    runs: 10_000,
  });
  expect(report).toMatchObject({ conforms: true, runs: 10_000, vectorFailures: [] });
});
