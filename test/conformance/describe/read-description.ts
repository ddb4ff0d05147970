/**
 * Reads English descriptions back into queries, which shows that a description is complete: no two queries of different
 * meaning can have the same text. Uses the wording of the messages, and none of the code that writes descriptions.
 */
import {
  type Check,
  DEFAULT_CLAIMS,
  type JsonValue,
  type PolicyItem,
  type Projection,
} from '../../../src/index.js';

/**
 * Returns the query that a text describes.
 *
 * @param paths - Claims that the text may name besides those of the default catalogue.
 * @throws {Error} If the text is not a description.
 */
export function readDescription(
  text: string,
  paths: readonly string[],
): PolicyItem | { readonly projections: Projection[] } {
  // Bidirectional isolates affect only the display.
  const lines = text.replaceAll(/[\u2066-\u2069]/g, '').split('\n');
  return new DescriptionReader(paths).read(lines);
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const GROUPS = {
  'all of these are true:': (items: readonly PolicyItem[]) => ({ policy: { allOf: items } }),
  'at least one of these is true:': (items: readonly PolicyItem[]) => ({ policy: { anyOf: items } }),
  'not all of these are true:': (items: readonly PolicyItem[]) => negate({ policy: { allOf: items } }),
  'none of these is true:': (items: readonly PolicyItem[]) => negate({ policy: { anyOf: items } }),
} as const;

/** Labels that do not follow from the catalogue. */
const LABELS: Readonly<Record<string, string>> = {
  'identity.social_accounts': 'your list of social accounts',
  'identity.wallet_addresses': 'your list of wallet addresses',
  'identity.age_over_18': 'your status as 18 or older',
  'identity.age_over_21': 'your status as 21 or older',
  'financial.net_worth_above_10k': 'the comparison of your net worth with 10,000 USD',
  'financial.net_worth_above_100k': 'the comparison of your net worth with 100,000 USD',
};

const VALUE_NAMES: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> = {
  'identity.is_human': { complete: true, incomplete: false },
  'identity.palm_verified': { complete: true, incomplete: false },
  'kyc.passed': { passed: true, failed: false },
  'kyc.level': { none: 'none', basic: 'basic', enhanced: 'enhanced' },
  'kyc.sanctions_clear': { clear: true, flagged: false },
  'kyc.aml_screening_passed': { passed: true, failed: false },
  'kyc.pep_status': { present: true, absent: false },
  'kyc.is_high_risk': { high: true, acceptable: false },
  'kyc.geo_blocked_region': { 'outside of the service area': true, served: false },
  'kyc.employment_status': {
    employed: 'employed',
    'self-employed': 'self_employed',
    unemployed: 'unemployed',
    student: 'student',
    retired: 'retired',
  },
  'identity.age_over_18': { '18 or older': true, 'under 18': false },
  'identity.age_over_21': { '21 or older': true, 'under 21': false },
  'financial.net_worth_above_10k': { 'above 10,000 USD': true, 'at most 10,000 USD': false },
  'financial.net_worth_above_100k': { 'above 100,000 USD': true, 'at most 100,000 USD': false },
};

/** Clauses whose subject is the person. */
const OPENINGS: readonly (readonly [text: string, claim: string, operator: 'is' | 'isNot' | 'order'])[] = [
  ['you live in ', 'identity.country_of_residence', 'is'],
  ['you do not live in ', 'identity.country_of_residence', 'isNot'],
  ['you are a national of ', 'identity.nationality', 'is'],
  ['you are not a national of ', 'identity.nationality', 'isNot'],
  ['you were born ', 'identity.date_of_birth', 'order'],
];

const COUNTRY_CLAIMS = new Set(
  DEFAULT_CLAIMS.filter(({ format }) => format === 'country').map(({ path }) => path),
);

/** Codes of countries by name, with and without the article. */
const COUNTRIES: ReadonlyMap<string, string> = new Map(
  letters().flatMap((first) =>
    letters().flatMap((second): [string, string][] => {
      const code = first + second;
      const isCurrent = new Intl.Locale(`und-${code}`).region === code;
      const name = isCurrent
        ? new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'none' }).of(code)
        : undefined;
      if (name === undefined) return [];
      return [
        [name, code],
        [`the ${name}`, code],
      ];
    }),
  ),
)
  .set('the Cayman Islands', 'KY')
  .set('the Turks and Caicos Islands', 'TC')
  .set('the US Outlying Islands', 'UM')
  .set('the US Virgin Islands', 'VI');

function letters(): readonly string[] {
  return Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
}

/** The names of `COUNTRIES`, longest first. */
const COUNTRY_NAMES = [...COUNTRIES.keys()].sort((one, other) => other.length - one.length);

/** A check, and whether the words negate it because it has no opposite operator: `is not X` is `!=`, which is not negated. */
interface WordedCheck {
  readonly check: Check;
  readonly isNegated: boolean;
}

class DescriptionReader {
  /** Labels with their claims, longest first. */
  readonly #labels: readonly (readonly [label: string, path: string])[];
  #text = '';

  constructor(paths: readonly string[]) {
    const listed = DEFAULT_CLAIMS.map(({ path, displayName }): [string, string] => [
      LABELS[path] ?? `your ${displayName ?? lastName(path)}`,
      path,
    ]);
    const known = new Set(DEFAULT_CLAIMS.map(({ path }) => path));
    const others = paths
      .filter((path) => !known.has(path))
      .map((path): [string, string] => [`your ${lastName(path)}`, path]);
    this.#labels = [...listed, ...others].sort(([one], [other]) => other.length - one.length);
  }

  read(lines: readonly string[]): PolicyItem | { readonly projections: Projection[] } {
    const [first = '', ...rest] = lines;
    const list = /^These \d+ values:$/.exec(first);
    if (list !== null) return { projections: rest.map((line) => this.#projection(line.replace(/^- /, ''))) };
    if (!first.startsWith('Whether ')) {
      return { projections: [this.#projection(first.slice(0, 1).toLowerCase() + first.slice(1, -1))] };
    }
    const sentence = first.slice('Whether '.length);
    const group = GROUPS[sentence as keyof typeof GROUPS];
    if (group !== undefined) return group(this.#items(rest, 0));
    if (!sentence.endsWith('.')) throw new Error(`no sentence: ${first}`);
    return this.#sentence(sentence.slice(0, -1));
  }

  /** Reads the entries of a list at a depth. */
  #items(lines: readonly string[], depth: number): readonly PolicyItem[] {
    const indent = '  '.repeat(depth);
    const starts = lines.flatMap((line, index) => (line.startsWith(`${indent}- `) ? [index] : []));
    return starts.map((start, index) => {
      const line = (lines[start] ?? '').slice(indent.length + 2);
      const group = GROUPS[line as keyof typeof GROUPS];
      if (group === undefined) return this.#soleClause(line);
      return group(this.#items(lines.slice(start + 1, starts[index + 1] ?? lines.length), depth + 1));
    });
  }

  /** Reads clauses joined by “and”, or by “or”. */
  #sentence(text: string): PolicyItem {
    this.#text = text;
    const items = [this.#clause()];
    const combinator = this.#text.startsWith(', and ') ? ', and ' : ', or ';
    while (this.#take(combinator)) items.push(this.#clause());
    this.#end();
    const [only, second] = items;
    if (only !== undefined && second === undefined) return only;
    return combinator === ', and ' ? { policy: { allOf: items } } : { policy: { anyOf: items } };
  }

  #soleClause(text: string): PolicyItem {
    this.#text = text;
    const item = this.#clause();
    this.#end();
    return item;
  }

  #clause(): PolicyItem {
    const { check, isNegated } = this.#check();
    if (check.operator === 'isDefined') return isNegated ? negate({ check }) : { check };
    if (this.#take(' (or this is unknown)')) return negate({ check: isNegated ? check : opposite(check) });
    if (isNegated)
      throw new Error(`“(or this is unknown)” must follow a negated check: ${JSON.stringify(check)}`);
    return { check };
  }

  #check(): WordedCheck {
    if (this.#take('there is a verified record of '))
      return asWorded({ claim: this.#claim(), operator: 'isDefined' });
    if (this.#take('there is no verified record of '))
      return { check: { claim: this.#claim(), operator: 'isDefined' }, isNegated: true };
    for (const [opening, claim, kind] of OPENINGS) {
      if (!this.#take(opening)) continue;
      if (kind !== 'order') return asWorded(this.#equality(claim, kind === 'isNot'));
      return asWorded(this.#take('on ') ? this.#equality(claim, false) : this.#comparison(claim));
    }
    for (const [opening, operator] of AGE_OPENINGS)
      if (this.#take(opening))
        return asWorded({ claim: 'identity.age', operator, value: this.#value('identity.age') });
    if (this.#take('you are ')) {
      const value = this.#value('identity.age');
      const operator = this.#take(' or older') ? '>=' : this.#expect(' or younger', '<=' as const);
      return asWorded({ claim: 'identity.age', operator, value });
    }
    const named = this.#named();
    return named === undefined ? this.#general() : asWorded(named);
  }

  /** Reads a check of a claim that is recognized by the names of its values; `undefined` if the text names no such value. */
  #named(): Check | undefined {
    const before = this.#text;
    for (const [subject, claims] of NAMED_BY_VALUES) {
      for (const [verb, isNot] of VERBS) {
        if (!this.#take(subject + verb)) continue;
        const claim = claims.find((each) =>
          Object.keys(VALUE_NAMES[each] ?? {}).some((name) => this.#text.startsWith(name)),
        );
        if (claim !== undefined) return this.#equality(claim, isNot);
        this.#text = before;
      }
    }
    return undefined;
  }

  #general(): WordedCheck {
    const claim = this.#claim();
    for (const [words, operator, isNegated] of VERBS_OF_TEXT) {
      if (!this.#take(words)) continue;
      const value = operator === 'contains' ? this.#value(undefined) : this.#string();
      return { check: { claim, operator, value }, isNegated };
    }
    if (this.#take(' is not recorded as ')) return asWorded(this.#equality(claim, true));
    if (this.#take(' is recorded as ')) return asWorded(this.#equality(claim, false));
    if (this.#take(' is not ')) return asWorded(this.#equality(claim, true));
    if (!this.#take(' is ')) throw new Error(`no verb: ${this.#text}`);
    return asWorded(this.#comparison(claim));
  }

  #comparison(claim: string): Check {
    for (const [words, operator] of COMPARISONS) {
      if (this.#take(words)) return { claim, operator, value: this.#value(claim) };
    }
    return this.#equality(claim, false);
  }

  /** Reads `==`, `!=`, `in` or `notIn` with its values, or a value with “or later” or “or earlier”. */
  #equality(claim: string, isNot: boolean): Check {
    if (this.#take('one of an empty list of values'))
      return { claim, operator: isNot ? 'notIn' : 'in', value: [] };
    const values = [this.#value(claim)];
    for (;;) {
      if (this.#take(' or later')) return { claim, operator: '>=', value: values[0] ?? null };
      if (this.#take(' or earlier')) return { claim, operator: '<=', value: values[0] ?? null };
      if (/^, (?!and |or )/.test(this.#text)) this.#take(', ');
      else if (!this.#take(' or ')) break;
      values.push(this.#value(claim));
    }
    const [only, second] = values;
    if (only !== undefined && second === undefined)
      return { claim, operator: isNot ? '!=' : '==', value: only };
    return { claim, operator: isNot ? 'notIn' : 'in', value: values };
  }

  #projection(text: string): Projection {
    this.#text = text;
    const projection = this.#lens();
    this.#end();
    return projection;
  }

  #lens(): Projection {
    if (this.#take('all fields of ')) return { claim: this.#claim(), lens: 'pick' };
    if (this.#take('only the fields ') || this.#take('only the field ')) {
      const fields = [this.#string()];
      while (this.#take(', ') || this.#take(' and ')) fields.push(this.#string());
      this.#expect(' of ', undefined);
      return { claim: this.#claim(), lens: 'pick', fields };
    }
    if (this.#take('only the last element of ')) return { claim: this.#claim(), lens: 'at', index: -1 };
    const element = /^only the ([\d,]+)(?:st|nd|rd|th) element (from the end )?of /.exec(this.#text);
    if (element === null) return { claim: this.#claim(), lens: 'pluck' };
    this.#take(element[0]);
    const position = toNumber(element[1] ?? '');
    return { claim: this.#claim(), lens: 'at', index: element[2] === undefined ? position - 1 : -position };
  }

  #claim(): string {
    if (this.#text.startsWith('“')) {
      const member = this.#string();
      this.#expect(' of ', undefined);
      return this.#withPath(`${this.#claim()}.${member}`);
    }
    const found = this.#labels.find(
      ([label]) => this.#text.startsWith(label) && !/^[\w-]/.test(this.#text.slice(label.length)),
    );
    if (found === undefined) throw new Error(`no claim: ${this.#text}`);
    this.#take(found[0]);
    return this.#withPath(found[1]);
  }

  /** Reads the path that follows a name that several claims share. */
  #withPath(path: string): string {
    const shown = /^ \(“([\w.]+)”\)/.exec(this.#text);
    if (shown === null) return path;
    this.#take(shown[0]);
    return shown[1] ?? path;
  }

  #string(): string {
    const value = this.#value(undefined);
    if (typeof value !== 'string') throw new Error(`no string: ${JSON.stringify(value)}`);
    return value;
  }

  #value(claim: string | undefined): JsonValue {
    const text = this.#text;
    const quoted = /^“([^”]*)”/.exec(text);
    if (quoted !== null) return this.#taken(quoted[0], quoted[1] ?? '');
    if (/^["[{]/.test(text)) return this.#json();
    const names = VALUE_NAMES[claim ?? ''] ?? {};
    const name = Object.keys(names)
      .sort((one, other) => other.length - one.length)
      .find((each) => text.startsWith(each));
    if (name !== undefined) return this.#taken(name, names[name] ?? null);
    const country = COUNTRY_CLAIMS.has(claim ?? '')
      ? COUNTRY_NAMES.find((each) => text.startsWith(each))
      : undefined;
    if (country !== undefined) return this.#taken(country, COUNTRIES.get(country) ?? '');
    const date = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})(?:, (\d\d:\d\d(?::\d\d(?:\.\d{3})?)?) UTC)?/.exec(text);
    if (date !== null) {
      const [all, day = '', month = '', year = '', time] = date;
      const full = `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
      const seconds = time !== undefined && time.length === 5 ? ':00' : '';
      return this.#taken(all, time === undefined ? full : `${full}T${time}${seconds}Z`);
    }
    for (const [word, value] of WORDS) if (text.startsWith(word)) return this.#taken(word, value);
    const number = /^-?\d{1,3}(?:,\d{3})*(?:\.\d+)?(?:E-?\d+)?/.exec(text);
    if (number === null) throw new Error(`no value: ${text}`);
    const unit = /^ US dollars?/.exec(text.slice(number[0].length));
    return this.#taken(number[0] + (unit?.[0] ?? ''), toNumber(number[0]));
  }

  /** Reads the shortest prefix that is JSON. */
  #json(): JsonValue {
    for (let end = 1; end <= this.#text.length; end += 1) {
      if (!/["\]}]/.test(this.#text[end - 1] ?? '')) continue;
      try {
        const value = JSON.parse(this.#text.slice(0, end)) as JsonValue;
        this.#text = this.#text.slice(end);
        return value;
      } catch {
        // More of the text belongs to the value.
      }
    }
    throw new Error(`no JSON: ${this.#text}`);
  }

  #taken(text: string, value: JsonValue): JsonValue {
    this.#text = this.#text.slice(text.length);
    return value;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text)) return false;
    this.#text = this.#text.slice(text.length);
    return true;
  }

  #expect<Value>(text: string, value: Value): Value {
    if (!this.#take(text)) throw new Error(`expected \`${text}\`: ${this.#text}`);
    return value;
  }

  #end(): void {
    if (this.#text !== '') throw new Error(`not read: ${this.#text}`);
  }
}

const WORDS = [
  ['yes', true],
  ['no', false],
  ['empty', null],
] as const;

const AGE_OPENINGS = [
  ['you are older than ', '>'],
  ['you are younger than ', '<'],
] as const;

const COMPARISONS = [
  ['more than ', '>'],
  ['at least ', '>='],
  ['less than ', '<'],
  ['at most ', '<='],
  ['after ', '>'],
  ['before ', '<'],
] as const;

/** Subjects that several claims share. */
const NAMED_BY_VALUES = [
  ['your age', ['identity.age_over_18', 'identity.age_over_21']],
  ['your net worth', ['financial.net_worth_above_10k', 'financial.net_worth_above_100k']],
] as const;

const VERBS = [
  [' is not ', true],
  [' is ', false],
] as const;

const VERBS_OF_TEXT = [
  [' includes ', 'contains', false],
  [' does not include ', 'contains', true],
  [' starts with ', 'startsWith', false],
  [' does not start with ', 'startsWith', true],
  [' matches the pattern ', 'matchRegex', false],
  [' does not match the pattern ', 'matchRegex', true],
] as const;

/** The operator that fails where the other one passes. */
const OPPOSITES: Readonly<Partial<Record<Check['operator'], Check['operator']>>> = {
  '==': '!=',
  '!=': '==',
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  in: 'notIn',
  notIn: 'in',
};

/** Returns the check that passes where this one fails: “is less than 18 (or this is unknown)” is read as `< 18`, and means `not (>= 18)`. */
function opposite(check: Check): Check {
  const operator = OPPOSITES[check.operator];
  if (operator === undefined) throw new Error(`no opposite: ${check.operator}`);
  return { ...check, operator };
}

function asWorded(check: Check): WordedCheck {
  return { check, isNegated: false };
}

function negate(item: PolicyItem): PolicyItem {
  return { policy: { not: item } };
}

function toNumber(text: string): number {
  return Number(text.replaceAll(',', ''));
}

function lastName(path: string): string {
  return path
    .slice(path.lastIndexOf('.') + 1)
    .replaceAll('_', ' ')
    .trim();
}
