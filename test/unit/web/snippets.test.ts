/** What one takes along from the playground: a link, a line for a shell, a program. */
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

describe('a link', () => {
  it('brings back what was shared, whatever it is', () => {
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
  ])('that is none of ours brings nothing back: %s', (fragment) => {
    expect(readFragment(fragment)).toBeUndefined();
  });
});

describe('the line for a shell', () => {
  it('sends what was written, whatever stands in it, and runs nothing of it', () => {
    const line = curlLine({
      query: QUERY,
      scopes: SCOPES,
      person: 'ada',
      baseUrl: 'http://127.0.0.1:8080/v2',
    });
    // Functions stand in for both programs: what they are handed is what they would get.
    const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }; npx() { printf 'T(%s)' "$*"; }\n${line}`;
    const given = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
    expect(given).toEqual([
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

  it('leaves the token of who is nobody of the sandbox to its reader', () => {
    expect(curlLine({ query: QUERY, scopes: SCOPES, baseUrl: 'x' })).toContain(
      '"Authorization: Bearer $TOKEN"',
    );
  });
});

describe('the program', () => {
  it('evaluates the same query, and names the claims that the service derives', () => {
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
