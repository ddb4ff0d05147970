/** Reads the patterns of `matchRegex`: RE2, of bounded length and program (L7, L18, S155). */
import type { Member } from './members.js';
import { describeType } from './problem-list.js';
import type { Reading } from './reading.js';

/** @returns The pattern, compiled into `reading.patterns`; `undefined` where it is not right, which is a problem. */
export function readPattern({ value, pointer }: Member, reading: Reading): string | undefined {
  const { limits, patterns, problems } = reading;
  if (typeof value !== 'string') {
    const message = `\`matchRegex\` takes a string, an RE2 pattern, not ${describeType(value)}.`;
    return problems.add('operand_type', pointer, message);
  }
  if (value.length > limits.patternCodeUnits) {
    const unit = `code units, not ${value.length}`;
    return problems.addLimit('limit_pattern', pointer, limits.patternCodeUnits, 'A pattern has', unit);
  }
  if (patterns.get(value) !== undefined) return value;
  return fitsWithTheOthers(value, pointer, reading) ? compilePattern(value, pointer, reading) : undefined;
}

/** Compiling is work that the query's author makes us do: past the limit nothing more is compiled, and that is told once. */
function fitsWithTheOthers(pattern: string, pointer: string, reading: Reading): boolean {
  const { limits, patterns, problems } = reading;
  const before = reading.patternCodeUnits;
  if (!patterns.has(pattern)) reading.patternCodeUnits += pattern.length;
  patterns.set(pattern, undefined);
  if (reading.patternCodeUnits <= limits.allPatternsCodeUnits) return true;
  if (before <= limits.allPatternsCodeUnits) {
    const owner = 'The patterns of a query have';
    problems.addLimit('limit_patterns', pointer, limits.allPatternsCodeUnits, owner, 'code units in all');
  }
  return false;
}

function compilePattern(pattern: string, pointer: string, reading: Reading): string | undefined {
  const { limits, patterns, problems, regex } = reading;
  if (regex === undefined) return pattern;
  const outcome = regex.compile(pattern);
  if (!outcome.accepted) {
    const message = `\`matchRegex\` takes an RE2 pattern, without look-around and back-references: ${outcome.reason}.`;
    return problems.add('pattern_invalid', pointer, message);
  }
  const { programSize } = outcome.pattern;
  if (programSize > limits.patternProgram) {
    const unit = `instructions, not ${programSize}; fewer or smaller repetitions would do`;
    return problems.addLimit(
      'limit_pattern_program',
      pointer,
      limits.patternProgram,
      'A pattern compiles to',
      unit,
    );
  }
  patterns.set(pattern, outcome.pattern);
  return pattern;
}
