/** Runs the query and the snippet of the README. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import * as proviso from '../../src/index.js';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

function blocks(language: string): readonly string[] {
  return [...README.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text = '']) => text,
  );
}

describe('the README', () => {
  it('shows a query and its result', () => {
    const [request = '', response = ''] = blocks('json');
    const { query } = JSON.parse(request) as { query: unknown };
    const expected = JSON.parse(response) as proviso.PredicateResult;
    const credentials = new Map<string, proviso.Credential>();
    for (const { path, value, credentialId: id, source } of expected.evidence.claimsUsed) {
      const claims = { ...credentials.get(id)?.claims, [path]: value };
      credentials.set(id, { id, source, issuedAt: 0, claims });
    }
    const verified = credentials.get('verify-now-7');
    if (verified) credentials.set(verified.id, { ...verified, expiresAt: Date.parse(expected.expiresAt) });
    const result = proviso.evaluate(query, [...credentials.values()], {
      now: Date.parse(expected.evaluatedAt),
      scopes: ['identity:date_of_birth', 'kyc:read'],
    });
    expect(result).toEqual(expected);
    expect(JSON.stringify(result)).toBe(JSON.stringify(expected));
  });

  it('shows an embedding that prints the output in its comment', () => {
    const [snippet = ''] = blocks('ts');
    const expectedOutput = /console\.log\(.*\/\/ (.*)\n/.exec(snippet)?.[1];
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const code = ts.transpile(snippet, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 });
    new Function('require', 'exports', code)(
      (name: string) => (name === 'proviso' ? proviso : undefined),
      {},
    );
    const printed = log.mock.calls.map(([value]) => String(value));
    log.mockRestore();
    expect(printed).toEqual([expectedOutput]);
  });

  it('shows an embedding of at most twelve lines', () => {
    expect(blocks('ts')[0]?.trim().split('\n').length).toBeLessThanOrEqual(12);
  });
});
