/** Checks that effects stay at the boundary: only `system` reads the clock and randomness, and no code is created from strings. */
import { describe, expect, it } from 'vitest';
import { readSourceFiles } from './source-files.js';

const files = readSourceFiles();
/**
 * Layers that import modules of Node or use a browser; all others are pure, except that `client` sends requests with `fetch`. `codegen`
 * hashes the modules that it generates.
 */
const EFFECTFUL_LAYERS = [
  'cli',
  'codegen',
  'http',
  'stores',
  'system',
  'telemetry',
  'vectors',
  'web',
  'workers',
];
const isPure = (layer: string) => !EFFECTFUL_LAYERS.includes(layer);

/** Lines of code that match the pattern; comments are left out. */
function offenders(pattern: RegExp, inLayer: (layer: string) => boolean): string[] {
  return files
    .filter((file) => inLayer(file.layer))
    .flatMap((file) =>
      file.text
        .split('\n')
        .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line) && pattern.test(line))
        .map((line) => `${file.path}: ${line.trim()}`),
    );
}

describe('layers other than `system`', () => {
  it('do not read a clock', () => {
    // Names without a call as well, such as `now: Date.now`.
    const clocks =
      /\bDate\.now\b|\bnew Date\(\)|(?<!\bnew )\bDate\(|\bperformance\b|\bprocess\.(hrtime|uptime)\b/;
    expect(offenders(clocks, (layer) => layer !== 'system')).toEqual([]);
  });

  it('do not read randomness', () => {
    const randomness = /\bMath\.random\b|\brandom(Bytes|Fill|FillSync|Int|UUID)\b|\bgetRandomValues\b/;
    expect(offenders(randomness, (layer) => layer !== 'system')).toEqual([]);
  });
});

describe('the pure layers', () => {
  it('import no module of Node', () => {
    const imports = files
      .filter((file) => isPure(file.layer))
      .flatMap((file) => file.imports.filter((edge) => !edge.typeOnly && edge.specifier.startsWith('node:')));
    expect(imports).toEqual([]);
  });

  it('have no reassignable variables at the top level of modules', () => {
    expect(offenders(/^(export )?(let|var) /, isPure)).toEqual([]);
  });
});

describe('all source files', () => {
  // S170
  it('create no code from strings', () => {
    expect(offenders(/\beval\(|new Function\(/, () => true)).toEqual([]);
  });

  it('open with a doc comment', () => {
    const undocumented = files.filter((file) => !/^(#!.*\n)?\/\*\*/.test(file.text)).map((file) => file.path);
    expect(undocumented).toEqual([]);
  });
});
