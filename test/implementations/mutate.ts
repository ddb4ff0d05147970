/** One-line mutants of a source file in Python or Go, chosen by a seed. */

/** A change of one line. */
export interface Mutant {
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Operators and other tokens with their replacements. Spaces are those that formatters write. */
const SWAPS: readonly (readonly [string, string])[] = [
  [' == ', ' != '],
  [' <= ', ' < '],
  [' >= ', ' > '],
  [' < ', ' >= '],
  [' > ', ' <= '],
  [' + ', ' - '],
  [' - ', ' + '],
  [' * ', ' + '],
  [' and ', ' or '],
  [' or ', ' and '],
  [' && ', ' || '],
  [' || ', ' && '],
  ['True', 'False'],
  ['False', 'True'],
  ['true', 'false'],
  ['false', 'true'],
  [' not in ', ' in '],
  ['not ', ''],
  [' += ', ' -= '],
  ['max(', 'min('],
  ['min(', 'max('],
];

/** Lines that are not mutated: empty lines, comments, imports and `package`. */
const SKIPPED = /^\s*(?:#|\/\/|\/\*|\*|"""|import\b|from\b|package\b|$)/;

/** Comments after code, as formatters write them. */
const PYTHON_COMMENT = / {2}# .*$/;
const GO_COMMENT = / \/\/ .*$/;

/** A condition of `if`, `elif` or `while` in Python, or of `if` in Go. */
const CONDITIONS: readonly (readonly [RegExp, string])[] = [
  [/^(\s*(?:el)?if |\s*while )([^:].*):$/, '$1not ($2):'],
  [/^(\s*(?:\} else )?if )((?:(?!:=|;).)+) \{$/, '$1!($2) {'],
];

/** A statement whose deletion leaves a valid program, as a rule: an assignment, a call, a `return` or `continue`. */
const STATEMENT =
  /^(\s+)(?:[\w.]+(?:\[[^\]]*\])? [+-]?= [^({[]*|[\w.]+\([^()]*(?:\([^()]*\))*[^()]*\)|return [\w., ]+|continue)$/;

/**
 * Lists all mutants of a file, in the order of its lines. Text in strings is mutated as well.
 *
 * @param isGo - Whether the file is in Go, otherwise in Python.
 */
export function listMutants(text: string, isGo: boolean): readonly Mutant[] {
  return text.split('\n').flatMap((before, index) => {
    if (SKIPPED.test(before)) return [];
    const code = before.replace(isGo ? GO_COMMENT : PYTHON_COMMENT, '');
    const comment = before.slice(code.length);
    const changed = [
      ...SWAPS.flatMap(([operator, other]) => replaceEach(code, operator, other)),
      ...CONDITIONS.flatMap(([condition, negated]) =>
        condition.test(code) ? [code.replace(condition, negated)] : [],
      ),
      ...changeNumbers(code),
      ...(STATEMENT.test(code) ? [code.replace(STATEMENT, isGo ? '$1' : '$1pass')] : []),
    ];
    return [...new Set(changed)]
      .filter((after) => after !== code)
      .map((after) => ({ line: index + 1, before, after: after + comment }));
  });
}

/** Shuffles mutants; those that are the first of their line precede all others, so that the first mutants are spread over the file. */
export function shuffleMutants<Element extends Mutant>(
  mutants: readonly Element[],
  seed: number,
): readonly Element[] {
  const random = xorshift(seed);
  const shuffled = mutants
    .map((mutant) => ({ mutant, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ mutant }) => mutant);
  const first = new Map<string, Element>();
  for (const mutant of shuffled) {
    const place = `${mutant.line} ${mutant.before}`;
    if (!first.has(place)) first.set(place, mutant);
  }
  const firstOfLine = new Set(first.values());
  return [...firstOfLine, ...shuffled.filter((mutant) => !firstOfLine.has(mutant))];
}

/** Applies a mutant. */
export function applyMutant(text: string, { line, after }: Mutant): string {
  return text
    .split('\n')
    .with(line - 1, after)
    .join('\n');
}

/** Replaces each occurrence of an operator, one at a time. */
function replaceEach(line: string, operator: string, other: string): readonly string[] {
  const parts = line.split(operator);
  return parts
    .slice(1)
    .map((_, index) =>
      [parts.slice(0, index + 1).join(operator), parts.slice(index + 1).join(operator)].join(other),
    );
}

/** Adds 1 to each whole number, and subtracts 1 from it. */
function changeNumbers(line: string): readonly string[] {
  return [...line.matchAll(/(?<![\w.\\{"'])\d+(?![\w.])/g)].flatMap(({ 0: digits, index }) =>
    [Number(digits) + 1, Number(digits) - 1]
      .filter((number) => number >= 0 && Number.isSafeInteger(number))
      .map((number) => `${line.slice(0, index)}${number}${line.slice(index + digits.length)}`),
  );
}

/** Numbers from 0 to 2^32 − 1 (Marsaglia's xorshift32). */
function xorshift(seed: number): () => number {
  // The state must not be 0.
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
