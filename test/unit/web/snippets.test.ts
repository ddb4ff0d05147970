/** The exports of the playground: a link, a curl command and a program. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as proviso from '../../../src/index.js';
import { readFragment, toFragment } from '../../../src/web/playground/model/share-link.js';
import { curlLine, typescriptProgram } from '../../../src/web/playground/model/snippets.js';

const HOSTILE = `'; touch /tmp/x; echo '"\`$(id)\\ \u202e </script>`;
const QUERY = { check: { claim: 'identity.legal_name', operator: '==', value: HOSTILE } };
const SCOPES = { sets: [['identity:legal_name', 'kyc:read']], uncovered: [], derived: [] };

describe('a share link', () => {
  it('restores the shared query and person or credentials', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    const subjects = fc.oneof(fc.record({ person: text }), fc.record({ credentials: text }));
    fc.assert(
      fc.property(text, subjects, (query, subject) => {
        expect(readFragment(toFragment({ query, subject }))).toEqual({ query, subject });
      }),
    );
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
      'Authorization: Bearer T(proviso sandbox token --user ada --scope identity:legal_name kyc:read)',
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
  it('evaluates the same query, and lists the derived claims', () => {
    const query = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
    const scopes = { sets: [['identity:date_of_birth']], uncovered: [], derived: ['identity.age'] };
    const text = typescriptProgram({ query, scopes });
    expect(text).toMatch(/\/\/ .*identity\.age/);
    const code = ts.transpile(text, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 });
    const program = {} as {
      evaluate: (credentials: readonly proviso.Credential[], now: number) => proviso.QueryResult;
    };
    new Function('require', 'exports', code)(() => proviso, program);
    const credentials = [{ id: '1', source: 's', issuedAt: 0, claims: { 'identity.age': 20 } }];
    expect(program.evaluate(credentials, 1)).toEqual(
      proviso.evaluate(query, credentials, { now: 1, scopes: scopes.sets[0] ?? [] }),
    );
  });
});
