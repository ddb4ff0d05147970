/** The exports of the playground: a link, a curl command and a program. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as proviso from '../../../src/index.js';
import { EXAMPLE_CATALOGUE, readCatalogue } from '../../../src/web/playground/model/catalogue.js';
import { withLineFeeds } from '../../../src/web/playground/model/line-breaks.js';
import {
  readFragment,
  readJson,
  toFittingFragment,
  toFragment,
  toJson,
} from '../../../src/web/playground/model/share-link.js';
import { curlLine, typescriptProgram } from '../../../src/web/playground/model/snippets.js';

const HOSTILE = `'; touch /tmp/x; echo '"\`$(id)\\ \u202e </script>`;
const QUERY = { check: { claim: 'identity.legal_name', operator: '==', value: HOSTILE } };
const SCOPES = { sets: [['identity:legal_name', 'kyc:read']], uncovered: [], derived: [] };

describe('a share link', () => {
  it('restores the shared query and person or credentials', () => {
    // Lines end with LF: see the next test.
    const text = fc.string({ unit: 'binary', maxLength: 200 }).map(withLineFeeds);
    const subjects = fc.oneof(fc.record({ person: text }), fc.record({ credentials: text }));
    const more = fc.record(
      { expected: fc.dictionary(text, fc.boolean()), other: text, catalogue: text },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(text, subjects, more, (query, subject, rest) => {
        const state = { query, subject, ...rest };
        expect(readFragment(toFragment(state))).toEqual(state);
        expect(readJson(toJson(state))).toEqual(state);
      }),
      { seed: 20_261_126 },
    );
  });

  it('reads lines that end with CRLF as lines that end with LF', () => {
    const fragment = toFragment({ query: '{\r\n}', subject: { person: 'ada' } });
    expect(readFragment(fragment)).toEqual({ query: '{\n}', subject: { person: 'ada' } });
  });

  it('omits a catalogue that is too large for a link, and is absent if the rest is too large', () => {
    const state = { query: 'x', subject: { person: 'ada' }, expected: { ada: true } };
    expect(toFittingFragment({ ...state, catalogue: '{}' })).toEqual({
      fragment: toFragment({ ...state, catalogue: '{}' }),
      withoutCatalogue: false,
    });
    const large = 'x'.repeat(60_000);
    expect(toFittingFragment({ ...state, catalogue: large })).toEqual({
      fragment: toFragment(state),
      withoutCatalogue: true,
    });
    expect(toFittingFragment({ ...state, query: large })).toBeUndefined();
  });

  it.each([
    '',
    '#',
    '#v1.',
    '#v1.%',
    '#v1.bm8',
    '#v1.bnVsbA',
    `#v1.${btoa('{"query":1}')}`,
    `#v1.${btoa('{"query":"x"}')}`,
    `#v1.${btoa('{"query":"x","person":"ada","other":1}')}`,
    `#v1.${btoa('{"query":"x","person":"ada","catalogue":{}}')}`,
    `#v1.${btoa('{"query":"x","person":"ada","expected":{"ada":"yes"}}')}`,
    `#v1.${btoa('{"query":"x","person":"ada","expected":null}')}`,
  ])('with an invalid fragment is ignored: %s', (fragment) => {
    expect(readFragment(fragment)).toBeUndefined();
  });
});

describe('the curl command', () => {
  it('sends the query as data, without running any part of it', () => {
    const line = curlLine({
      query: QUERY,
      scopes: SCOPES,
      person: 'ada',
      baseUrl: 'http://127.0.0.1:8080/v2',
    });
    // Shell functions replace both programs, and print their arguments.
    const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }; npx() { printf 'T(%s)' "$*"; }\n${line}`;
    const passedArguments = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
    expect(passedArguments).toEqual([
      '-sS',
      'http://127.0.0.1:8080/v2/queries/evaluate',
      '-H',
      'Authorization: Bearer T(proviso sandbox token --person ada --scope identity:legal_name kyc:read)',
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify({ query: QUERY }),
    ]);
  });

  it('has a placeholder for the token of a person who is not in the sandbox', () => {
    expect(curlLine({ query: QUERY, scopes: SCOPES, baseUrl: 'x' })).toContain(
      '"Authorization: Bearer $TOKEN"',
    );
  });
});

describe('the exported program', () => {
  it('for a custom catalogue defines the scopes that the query requires', () => {
    const query = { check: { claim: 'member.points', operator: '>=', value: 18 } };
    const { catalogue } = readCatalogue(EXAMPLE_CATALOGUE, proviso.re2js);
    if (catalogue === undefined) throw new Error('the example must be valid');
    const scopes = { sets: [['member:read']], uncovered: [], derived: [] };
    const credentials = [{ id: '1', source: 's', issuedAt: 0, claims: { 'member.points': 20 } }];
    const program = run(typescriptProgram({ query, scopes, catalogue }));
    expect(program.evaluate(credentials, 1)).toMatchObject({ passed: true });
  });

  it('compares with an object that has a member `__proto__`', () => {
    const text = '{"__proto__": {"a": "\\"__proto__\\":"}, "\\"__proto__": 1}';
    const value = JSON.parse(text) as proviso.JsonValue;
    const query = { check: { claim: 'identity.address_full', operator: '==', value } };
    const scopes = { sets: [['identity:address_full']], uncovered: [], derived: [] };
    const credentials = [{ id: '1', source: 's', issuedAt: 0, claims: { 'identity.address_full': value } }];
    const program = run(typescriptProgram({ query, scopes }));
    expect(program.evaluate(credentials, 1)).toMatchObject({ passed: true });
  });

  it('evaluates the same query, and lists the derived claims', () => {
    const query = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
    const scopes = { sets: [['identity:date_of_birth']], uncovered: [], derived: ['identity.age'] };
    const text = typescriptProgram({ query, scopes });
    expect(text).toMatch(/\/\/ .*identity\.age/);
    const program = run(text);
    const credentials = [{ id: '1', source: 's', issuedAt: 0, claims: { 'identity.age': 20 } }];
    expect(program.evaluate(credentials, 1)).toEqual(
      proviso.evaluate(query, credentials, { now: 1, scopes: scopes.sets[0] ?? [] }),
    );
  });
});

interface Program {
  readonly evaluate: (credentials: readonly proviso.Credential[], now: number) => proviso.QueryResult;
}

/** Runs a program and returns its exports. */
function run(text: string): Program {
  const code = ts.transpile(text, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 });
  const program = {};
  new Function('require', 'exports', code)(() => proviso, program);
  return program as Program;
}
