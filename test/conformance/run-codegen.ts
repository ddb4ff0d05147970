/**
 * Compares generated modules with the engine, on random policies and people: in this process, on each supported version of Node, and in
 * Chromium where it is installed.
 *
 *   npm run check -- conformance-codegen --runs 1000000 [--seed N] [--nodes 20,22]
 *
 * `--runs` is the minimum number of pairs of a policy and a person.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import * as fc from 'fast-check';
import * as re2jsModule from 're2js';
import { installNode, SUPPORTED_NODES } from '../../build/install-node.js';
import { ROOT } from '../../build/packages.js';
import { generateModule } from '../../src/codegen/index.js';
import { re2js } from '../../src/index.js';
import { cachePatterns } from '../../src/testing/cache-patterns.js';
import { openBrowser } from '../support/browser.js';
import { parseRunsAndSeed } from '../support/check-options.js';
import { CHROMIUM } from '../support/chromium.js';
import {
  EDGE_CASES,
  evaluateWithEngine,
  firstDifference,
  type ModuleCases,
  policyAndPeople,
  toModuleCases,
} from './codegen/module-cases.js';

const RUNNER = fileURLToPath(new URL('codegen/run-cases.mjs', import.meta.url));
const RE2JS = import.meta.resolve('re2js');
const POLICIES_PER_ROUND = 400;
const PEOPLE = 40;
const MAX_OUTPUT_BYTES = 2 ** 28;

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, nodes: { type: 'string' } },
});
const { runs, seed } = parseRunsAndSeed(values, 100_000);

const folder = mkdtempSync(join(tmpdir(), 'proviso-codegen-'));
try {
  await compareAll();
} finally {
  rmSync(folder, { recursive: true });
}

async function compareAll(): Promise<void> {
  const versions = values.nodes?.split(',') ?? SUPPORTED_NODES;
  const nodes = versions.map((version) => join(installNode(version, folder), 'node'));
  const chromium = CHROMIUM === undefined ? undefined : await openChromium();
  try {
    const places = `this process, Node ${versions.join(', ')}${chromium === undefined ? '' : ', Chromium'}`;
    process.stdout.write(`seed ${seed}: ${places}\n`);
    await compareRounds(nodes, chromium);
  } finally {
    await chromium?.close();
  }
}

/** Compares rounds of random policies until there are enough pairs of a policy and a person. */
async function compareRounds(
  nodes: readonly string[],
  chromium: Awaited<ReturnType<typeof openChromium>> | undefined,
): Promise<void> {
  let [pairs, passed] = [0, 0];
  for (let round = 0; pairs < runs; round += 1) {
    // A new cache for each round, since patterns are never evicted.
    const regex = cachePatterns(re2js);
    const drawn = fc.sample(policyAndPeople(PEOPLE), {
      seed: (seed + round) | 0,
      numRuns: POLICIES_PER_ROUND,
    });
    const evaluated = [...(round === 0 ? EDGE_CASES : []), ...drawn].map((each) =>
      evaluateWithEngine(each, regex),
    );
    const batch = evaluated.map((each) => toModuleCases(each, generateModule));
    const inProcess = evaluated.map((each, index) =>
      firstDifference(each, batch[index]?.cjs ?? '', re2jsModule),
    );
    const file = join(folder, 'cases.json');
    writeFileSync(file, JSON.stringify(batch));
    const elsewhere = await Promise.all([
      ...nodes.map((node) => runInNode(node, file)),
      ...(chromium === undefined ? [] : [chromium.run(batch)]),
    ]);
    const differences = [...inProcess, ...elsewhere.flat()].filter((each) => each !== undefined);
    if (differences.length > 0)
      throw new Error(`${differences.length} differences; the first: ${differences[0]}`);
    const verdicts = batch.flatMap(({ cases }) => cases.map(({ test }) => test));
    pairs += verdicts.length;
    passed += verdicts.filter((verdict) => verdict === 'true').length;
    report(pairs, passed);
  }
}

function report(pairs: number, passed: number): void {
  const [done, passing] = [pairs, passed].map((count) => count.toLocaleString('en'));
  process.stdout.write(`${done} pairs, ${passing} passed, no difference\n`);
}

async function runInNode(node: string, file: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(node, [RUNNER, file, RE2JS], { maxBuffer: MAX_OUTPUT_BYTES });
  return JSON.parse(stdout) as readonly string[];
}

/** Opens Chromium. Each batch runs in a new page, since a page never forgets its modules. */
async function openChromium() {
  const { outputFiles } = await build({
    stdin: { contents: "export { RE2JS } from 're2js';", resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'esm',
  });
  const re2jsText = outputFiles[0]?.text ?? '';
  const runner = readFileSync(RUNNER, 'utf8');
  const browser = await openBrowser();
  return {
    run: async (batch: readonly ModuleCases[]): Promise<readonly string[]> => {
      const page = await browser.newPage();
      try {
        const script = `(async () => {
          const toUrl = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
          const re2jsUrl = toUrl(${JSON.stringify(re2jsText)});
          const { runCases } = await import(toUrl(${JSON.stringify(runner)}));
          const importSource = async (source) => {
            const url = toUrl(source.replace('from "re2js"', 'from ' + JSON.stringify(re2jsUrl)));
            const module = await import(url);
            URL.revokeObjectURL(url);
            return module;
          };
          return await runCases(${JSON.stringify(batch)}, importSource, await import(re2jsUrl));
        })()`;
        return await page.evaluate(script);
      } finally {
        await page.close();
      }
    },
    close: () => browser.close(),
  };
}
