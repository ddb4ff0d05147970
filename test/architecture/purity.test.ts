/** Effects stay at the boundary: one module reads the clock, one randomness, and no code is created from strings. */
import { describe, expect, it } from 'vitest';
import { readSourceFiles } from './source-files.js';

const files = readSourceFiles();
const PURE_ROOMS = ['engine', 'analysis', 'builder', 'client', 'sql', 'regex', 'testing', 'service'];

/** Lines of code that match, without comments. */
function offenders(pattern: RegExp, rooms: (room: string) => boolean): string[] {
  return files
    .filter((file) => rooms(file.room))
    .flatMap((file) =>
      file.text
        .split('\n')
        .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line) && pattern.test(line))
        .map((line) => `${file.path}: ${line.trim()}`),
    );
}

describe('effects that only `system` may have', () => {
  it('include reading the wall clock', () => {
    expect(offenders(/Date\.now\(|new Date\(\)|performance\.now\(/, (room) => room !== 'system')).toEqual([]);
  });

  it('include reading randomness', () => {
    const randomness = /Math\.random\(|randomBytes\(|randomUUID\(|getRandomValues\(/;
    expect(offenders(randomness, (room) => room !== 'system')).toEqual([]);
  });
});

describe('the pure layers', () => {
  it('import no module of Node', () => {
    const imports = files
      .filter((file) => PURE_ROOMS.includes(file.room))
      .flatMap((file) => file.imports.filter((edge) => !edge.typeOnly && edge.specifier.startsWith('node:')));
    expect(imports).toEqual([]);
  });

  it('have no state in modules', () => {
    expect(offenders(/^(export )?(let|var) /, (room) => PURE_ROOMS.includes(room))).toEqual([]);
  });
});

describe('all source files', () => {
  // S170
  it('create no code from strings', () => {
    expect(offenders(/\beval\(|new Function\(/, () => true)).toEqual([]);
  });

  it('open with a sentence on their subject', () => {
    const silent = files.filter((file) => !/^(#!.*\n)?\/\*\*/.test(file.text)).map((file) => file.path);
    expect(silent).toEqual([]);
  });
});
