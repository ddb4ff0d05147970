/**
 * Runs generated modules on records, and compares the outcomes with those of the engine. Plain JavaScript without imports, so that it runs
 * on every supported version of Node and in browsers.
 *
 * In Node: `node run-cases.mjs CASES.json RE2JS-URL`, which prints the differences as JSON.
 *
 * @typedef {{ now: number, test: string, evaluate: string }} Case
 * @typedef {{ esm: string, cjs: string, records: string, cases: readonly Case[] }} ModuleCases `records`: a JavaScript expression.
 */

/**
 * @param {readonly ModuleCases[]} batch
 * @param {(source: string) => Promise<any>} importSource - Imports the text of an ECMAScript module.
 * @param {unknown} re2js - The exports of the package `re2js`.
 * @returns {Promise<readonly string[]>} The differences.
 */
export async function runCases(batch, importSource, re2js) {
  const outcome = (call) => {
    try {
      return JSON.stringify(call());
    } catch (error) {
      return error.code ?? `${error.name}: ${error.message}`;
    }
  };
  const differences = [];
  for (const { esm, cjs, records, cases } of batch) {
    const exports = {};
    new Function('exports', 'require', cjs)(exports, () => re2js);
    const modules = { esm: await importSource(esm), cjs: exports };
    const plain = new Function(`return ${records};`)();
    for (const [index, { now, test, evaluate }] of cases.entries()) {
      const record = plain[index];
      for (const [format, module] of Object.entries(modules)) {
        const found = {
          test: outcome(() => module.test(record)),
          evaluate: outcome(() => module.evaluate(record, { now })),
        };
        // The engine limits the cost of all patterns beforehand; `test` limits the cost of the patterns that it matches only.
        const isSame = found.test === test || (evaluate === 'query_too_large' && found.test === evaluate);
        if (!isSame || found.evaluate !== evaluate)
          differences.push(
            `${format}: ${JSON.stringify({ record, now, expected: { test, evaluate }, found })}\n${esm}`,
          );
      }
    }
  }
  return differences;
}

if (typeof process === 'object' && process.argv[1]?.endsWith('run-cases.mjs')) {
  const { readFileSync } = await import('node:fs');
  const [file, re2jsUrl] = process.argv.slice(2);
  const importSource = (source) =>
    import(
      `data:text/javascript,${encodeURIComponent(source.replace('from "re2js"', `from ${JSON.stringify(re2jsUrl)}`))}`
    );
  const differences = await runCases(
    JSON.parse(readFileSync(file, 'utf8')),
    importSource,
    await import(re2jsUrl),
  );
  process.stdout.write(JSON.stringify(differences));
}
