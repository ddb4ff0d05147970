/** Effects stay at the rim: one reader of the clock, one of randomness, no code made from strings. */
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

describe('what only `system` may do', () => {
  it('the wall clock is read in one room', () => {
    expect(offenders(/Date\.now\(|new Date\(\)|performance\.now\(/, (room) => room !== 'system')).toEqual([]);
  });

  it('randomness is read in one room', () => {
    const randomness = /Math\.random\(|randomBytes\(|randomUUID\(|getRandomValues\(/;
    expect(offenders(randomness, (room) => room !== 'system')).toEqual([]);
  });
});

describe('the pure rooms', () => {
  it('import nothing of Node', () => {
    const imports = files
      .filter((file) => PURE_ROOMS.includes(file.room))
      .flatMap((file) => file.imports.filter((edge) => !edge.typeOnly && edge.specifier.startsWith('node:')));
    expect(imports).toEqual([]);
  });

  it('keep no state in a module', () => {
    expect(offenders(/^(export )?(let|var) /, (room) => PURE_ROOMS.includes(room))).toEqual([]);
  });
});

describe('everywhere', () => {
  // S170
  it('no code is made from strings', () => {
    expect(offenders(/\beval\(|new Function\(/, () => true)).toEqual([]);
  });

  it('each file opens with a sentence on its subject', () => {
    const silent = files.filter((file) => !/^(#!.*\n)?\/\*\*/.test(file.text)).map((file) => file.path);
    expect(silent).toEqual([]);
  });
});
