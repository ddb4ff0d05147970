/** Parses policy test files, and collects every problem with its JSON Pointer. */
import { isInstant } from '../engine/claims/instant.js';
import {
  ClaimError,
  ClaimSet,
  type Credential,
  CredentialError,
  isClaimPath,
  type JsonObject,
  parseCredentials,
  parseInstant,
} from '../engine/index.js';
import { didYouMean } from '../engine/names.js';
import { ProblemList, pointerTo } from '../engine/problems.js';
import { describeType } from '../engine/value-types.js';
import { isPlainObject } from '../util/is-plain-object.js';
import { omitUndefined } from '../util/omit-undefined.js';
import {
  type CaseClaims,
  type PolicyTest,
  type PolicyTestCase,
  PolicyTestError,
  type PolicyTestProblem,
} from './policy-test.js';

/** The members of a policy test file, in the order in which messages list them. */
export const FILE_MEMBERS = ['$schema', 'query', 'catalogue', 'now', 'cases'] as const;

/** The members of a case, in the order in which messages list them. */
export const CASE_MEMBERS = ['title', 'claims', 'credentials', 'now', 'passes', 'failing'] as const;

/**
 * Parses a policy test file. The query itself is parsed by `runPolicyTest`.
 *
 * @param json - Any value, such as the result of `JSON.parse` or of a YAML parser. Not modified.
 * @throws {PolicyTestError} With every problem and its pointer.
 * @example
 * parsePolicyTest({
 *   query: { check: { claim: 'identity.age', operator: '>=', value: 18 } },
 *   cases: [{ title: 'an adult', claims: { 'identity.age': 18 }, passes: true }],
 * }).cases.length // 1
 */
export function parsePolicyTest(json: unknown): PolicyTest {
  const reader = new PolicyTestReader();
  const test = reader.readFile(json);
  if (test === undefined || reader.reported.length > 0) throw new PolicyTestError(reader.reported);
  return test;
}

type Members = Readonly<Record<string, unknown>>;

class PolicyTestReader extends ProblemList<PolicyTestProblem> {
  readonly #titles = new Set<string>();
  /** Whether the file has a `now`, valid or not. */
  #fileHasNow = false;

  readFile(json: unknown): PolicyTest | undefined {
    const file = this.#readObject(json, '', 'A policy test', FILE_MEMBERS);
    if (file === undefined) return undefined;
    const query = this.#readQuery(file);
    const catalogue = this.#readText(file, 'catalogue', '', 'the path of a catalogue file or `none`');
    this.#fileHasNow = file['now'] !== undefined;
    const now = this.#readInstant(file, '');
    const cases = this.#readCases(file['cases'], now);
    return query === undefined ? undefined : { query, ...omitUndefined({ catalogue }), cases };
  }

  #readQuery({ query }: Members): string | JsonObject | undefined {
    const required = 'a query, or the path of a query file';
    if (query === undefined) return this.add('member_missing', '', `\`query\` is required: ${required}.`);
    // The engine parses the query as unknown JSON.
    if (isPlainObject(query)) return query as JsonObject;
    if (typeof query === 'string' && query !== '') return query;
    return this.add('not_an_object', '/query', `\`query\` must be ${required}.`);
  }

  #readCases(cases: unknown, now: number | undefined): readonly PolicyTestCase[] {
    if (cases === undefined) this.add('member_missing', '', '`cases` is required: an array of cases.');
    else if (!Array.isArray(cases)) this.add('not_an_array', '/cases', '`cases` must be an array.');
    else if (cases.length === 0) this.add('list_empty', '/cases', '`cases` must contain at least one case.');
    else
      return [...cases].flatMap((one: unknown, index) => this.#readCase(one, `/cases/${index}`, now) ?? []);
    return [];
  }

  #readCase(json: unknown, pointer: string, fileNow: number | undefined): PolicyTestCase | undefined {
    const one = this.#readObject(json, pointer, 'A case', CASE_MEMBERS);
    if (one === undefined) return undefined;
    const title = this.#readTitle(one, pointer);
    const now = this.#readInstant(one, pointer) ?? fileNow;
    const claims = this.#readClaims(one, pointer);
    const passes = this.#readPasses(one, pointer);
    const failing = this.#readFailing(one, pointer);
    if (title === undefined || claims === undefined || passes === undefined) return undefined;
    return { title, claims, passes, ...omitUndefined({ now, failing }) };
  }

  #readTitle(one: Members, pointer: string): string | undefined {
    if (one['title'] === undefined)
      return this.add('member_missing', pointer, '`title` is required: what the case shows.');
    const title = this.#readText(one, 'title', pointer, 'a string that is not empty');
    if (title === undefined) return undefined;
    if (this.#titles.has(title))
      return this.add('title_repeated', `${pointer}/title`, '`title` must be unique in the file.');
    this.#titles.add(title);
    return title;
  }

  #readPasses({ passes }: Members, pointer: string): boolean | undefined {
    if (passes === undefined)
      return this.add('member_missing', pointer, '`passes` is required: the expected verdict.');
    if (typeof passes === 'boolean') return passes;
    return this.add(
      'not_a_boolean',
      `${pointer}/passes`,
      `\`passes\` must be true or false (got ${describePasses(passes)}).`,
    );
  }

  #readFailing({ passes, failing }: Members, pointer: string): readonly string[] | undefined {
    if (failing === undefined) return undefined;
    const place = `${pointer}/failing`;
    if (passes === true)
      return this.add('member_unexpected', place, '`failing` must be absent where `passes` is `true`.');
    if (!Array.isArray(failing)) return this.add('not_an_array', place, '`failing` must be an array.');
    if (failing.length === 0)
      return this.add('list_empty', place, '`failing` must list at least one claim path.');
    return [...failing].flatMap((claim: unknown, index) => {
      if (typeof claim === 'string' && isClaimPath(claim)) return [claim];
      this.add(
        'claim_invalid',
        `${place}/${index}`,
        '`failing` must list claim paths such as `identity.age`.',
      );
      return [];
    });
  }

  #readClaims(one: Members, pointer: string): CaseClaims | undefined {
    const { claims, credentials } = one;
    if ((claims === undefined) === (credentials === undefined))
      return this.add('member_missing', pointer, 'A case must have either `claims` or `credentials`.');
    if (claims !== undefined) return this.#readPlainClaims(claims, `${pointer}/claims`);
    // Without an instant, the verdict would change when a credential expires.
    if (one['now'] === undefined && !this.#fileHasNow)
      this.add('member_missing', pointer, '`now` is required for credentials, in the case or in the file.');
    return this.#readCredentials(credentials, `${pointer}/credentials`);
  }

  #readPlainClaims(json: unknown, pointer: string): CaseClaims | undefined {
    if (!isPlainObject(json))
      return this.add('not_an_object', pointer, '`claims` must be an object of claim paths and values.');
    // `ClaimSet.of` rejects values that are not JSON.
    const claims = json as Credential['claims'];
    for (const [path, value] of Object.entries(claims)) {
      const message = messageOf(() => ClaimSet.of({ [path]: value }));
      if (message !== undefined) this.add('claim_invalid', pointerTo(pointer, path), `${message}.`);
    }
    return { kind: 'plain', claims };
  }

  #readCredentials(json: unknown, pointer: string): CaseClaims | undefined {
    try {
      return { kind: 'credentials', credentials: parseCredentials(json) };
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error;
      for (const { pointer: inner, message } of error.problems)
        this.add('credentials_invalid', pointer + inner, message);
      return undefined;
    }
  }

  #readInstant({ now }: Members, pointer: string): number | undefined {
    if (now === undefined) return undefined;
    const instant = typeof now === 'string' ? parseInstant(now) : undefined;
    if (isInstant(instant)) return instant;
    const required = 'an RFC 3339 instant such as `2026-01-31T09:00:00Z`';
    return this.add('instant_malformed', `${pointer}/now`, `\`now\` must be ${required}.`);
  }

  #readText(one: Members, name: string, pointer: string, required: string): string | undefined {
    const text = one[name];
    if (text === undefined || (typeof text === 'string' && text !== '')) return text;
    return this.add('not_a_string', `${pointer}/${name}`, `\`${name}\` must be ${required}.`);
  }

  #readObject(json: unknown, pointer: string, label: string, names: readonly string[]): Members | undefined {
    if (!isPlainObject(json)) return this.add('not_an_object', pointer, `${label} must be an object.`);
    for (const name of Object.keys(json)) {
      if (names.includes(name)) continue;
      const near = didYouMean(name, names);
      const hint = near === undefined ? `must be one of ${names.join(', ')}` : `did you mean \`${near}\`?`;
      this.add('member_unknown', pointerTo(pointer, name), `Unknown member: ${hint}`);
    }
    return json;
  }
}

/** Words that are booleans in YAML 1.1, but strings in YAML 1.2. */
const OLD_BOOLEANS = /^(?:y|yes|n|no|on|off)$/i;

function describePasses(passes: unknown): string {
  if (typeof passes !== 'string' || !OLD_BOOLEANS.test(passes)) return describeType(passes);
  return `the string \`${passes}\`: YAML 1.2 has no other booleans`;
}

/** Returns the message of the error that a call throws for a wrong argument; `undefined` where the call succeeds. Rethrows other errors. */
export function messageOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    const isWrongArgument =
      error instanceof TypeError || error instanceof RangeError || error instanceof ClaimError;
    if (isWrongArgument) return error.message;
    throw error;
  }
}
