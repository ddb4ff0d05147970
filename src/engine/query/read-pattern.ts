/** Reads the patterns of `matchRegex`: RE2, of bounded length, program and work (L7, L18, S155, S176). */
import type { PatternOutcome } from '../regex-engine.js';
import type { Member } from './members.js';
import { describeType } from './problem-list.js';
import type { Reading } from './reading.js';

/** @returns The pattern, compiled into `reading.patterns`; where it is wrong, which is a problem, not necessarily so. */
export function readPattern({ value, pointer }: Member, reading: Reading): string | undefined {
  const { patterns, problems } = reading;
  if (typeof value !== 'string') {
    const message = `\`matchRegex\` takes a string, an RE2 pattern, not ${describeType(value)}.`;
    return problems.add('operand_type', pointer, message);
  }
  if (
    reading.exceeds('patternCodeUnits', value.length, 'limit_pattern', pointer, 'A pattern has', 'code units')
  ) {
    return undefined;
  }
  if (!patterns.has(value)) patterns.set(value, compilePattern(value, pointer, reading));
  const outcome = patterns.get(value);
  if (outcome?.accepted === false) {
    const message = `\`matchRegex\` takes an RE2 pattern, without look-around and back-references: ${outcome.reason}.`;
    return problems.add('pattern_invalid', pointer, message);
  }
  return value;
}

/** Compiles a pattern. At the first one that passes a limit, compiling ends for the whole query, and that is reported once. */
function compilePattern(pattern: string, pointer: string, reading: Reading): PatternOutcome | undefined {
  const { regex } = reading;
  if (reading.patternsStopped) return undefined;
  reading.patternCodeUnits += pattern.length;
  reading.patternWork += regex?.estimateWork?.(pattern) ?? 0;
  const { patternCodeUnits, patternWork } = reading;
  reading.patternsStopped =
    reading.exceeds(
      'allPatternsCodeUnits',
      patternCodeUnits,
      'limit_patterns',
      pointer,
      'The patterns of a query have',
      'code units in all',
    ) ||
    reading.exceeds(
      'patternWork',
      patternWork,
      'limit_pattern_work',
      pointer,
      'The patterns of a query compile in',
      'steps in all',
    );
  if (reading.patternsStopped) return undefined;
  const outcome = regex?.compile(pattern);
  const size = outcome?.accepted ? outcome.pattern.programSize : 0;
  reading.patternsStopped = reading.exceeds(
    'patternProgram',
    size,
    'limit_pattern_program',
    pointer,
    'A pattern compiles to',
    'instructions',
  );
  return outcome;
}
