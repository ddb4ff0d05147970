/** The file of fused checks is the one that its generator writes, and the engine conforms without it (L14–L19, L21). */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { expect, it } from 'vitest';
import { fusedChecks } from '../../build/write-fused-checks.js';
import { re2js as regex } from '../../src/index.js';
import { checkConformance } from '../../src/testing/index.js';
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
