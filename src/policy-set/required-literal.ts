/** Literals that every match of a pattern contains. */

/** A token: the start of a group that does not ignore case; a class; `|`, an assertion, `.` or another token without a known literal; a literal. */
const TOKEN =
  /^(?:(\((?:\?[msU]*:|\?P?<\w+>|(?!\?)))|\(\?[msU]+\)|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\\\]])*\]|[|.^$]|\\[AzbBdswDSW]|\\[pP](?:\{[^}]*\}|[^{])|[^ -~]|\\([!-/:-@[-`{-~])|([^\\()[\]{}*+?]))/;
/** A repetition. Captures `*` or `?`, which permit no occurrence, or the least number of occurrences. */
const REPETITION = /^(?:([*?])|\+|\{(\d+)(?:,\d*)?\})\??/;

/** A literal that every match of a part contains. */
interface Part {
  readonly literal: string;
  /** Whether every match equals it. */
  readonly isWhole: boolean;
}

const UNKNOWN: Part = { literal: '', isWhole: false };

/** Returns the longest printable ASCII string that every match is known to contain. Other syntax, such as `(?i)`, is not analyzed. */
export function requiredLiteral(pattern: string): string {
  let rest = pattern;
  const take = (syntax: RegExp): readonly (string | undefined)[] => {
    const [text = '', ...groups] = syntax.exec(rest) ?? [];
    rest = rest.slice(text.length);
    return [text, ...groups];
  };
  const readSequence = (): Part => {
    let [longest, run, isWhole, isChoice] = ['', '', true, false];
    while (rest !== '' && !rest.startsWith(')')) {
      const [token = '', group, escaped, plain] = take(TOKEN);
      if (token === '') break;
      const character = escaped ?? plain;
      isChoice ||= token === '|';
      let part = character === undefined ? UNKNOWN : { literal: character, isWhole: true };
      if (group !== undefined) {
        part = readSequence();
        take(/^\)/);
      }
      const [repetition, isOptional, least = '1'] = take(REPETITION);
      if (isOptional !== undefined || Number(least) === 0) part = UNKNOWN;
      isWhole &&= part.isWhole && repetition === '';
      run = part.isWhole && repetition === '' ? run + part.literal : '';
      const found = run === '' ? part.literal : run;
      if (found.length > longest.length) longest = found;
    }
    return isChoice ? UNKNOWN : { literal: longest, isWhole };
  };
  const { literal } = readSequence();
  return rest === '' ? literal : '';
}
