/** `formatQuery`: readable JSON with the same meaning. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatQuery } from '../../src/analysis/index.js';
import { canonicalText, parse, re2js } from '../../src/index.js';
import { policyItem } from '../../src/testing/index.js';

function canonical(query: unknown): string {
  return canonicalText(parse(query, { regex: re2js }));
}

describe('formatQuery', () => {
  it('removes redundant wrappers, and puts each check on one line unless its value contains an object', () => {
    const query = {
      policy: {
        allOf: [
          { check: { value: ['PT', 'ES'], operator: 'in', claim: 'identity.nationality' } },
          { policy: { not: [{ claim: 'kyc.is_high_risk', operator: '==', value: true }] } },
          { claim: 'kyc.tags', operator: 'contains', value: { kind: 'a', list: [] } },
        ],
      },
    };
    expect(formatQuery(query)).toBe(`{
  "policy": {
    "allOf": [
      { "claim": "identity.nationality", "operator": "in", "value": ["PT", "ES"] },
      {
        "not": { "claim": "kyc.is_high_risk", "operator": "==", "value": true }
      },
      {
        "claim": "kyc.tags",
        "operator": "contains",
        "value": { "kind": "a", "list": [] }
      }
    ]
  }
}`);
  });

  it('breaks a list that is longer than 100 characters with its indentation', () => {
    const format = (length: number) => {
      // The indentation, brackets and quotes take 8 characters.
      const value = ['x'.repeat(length - 8)];
      return formatQuery({ check: { claim: 'kyc.document_country', operator: 'in', value } });
    };
    expect(format(100)).toMatch(/^ {4}"value": \["x+"\]$/m);
    expect(format(101)).toMatch(/^ {4}"value": \[\n {6}"x+"\n {4}\]$/m);
  });

  it('puts each element of a long list on a separate line', () => {
    const value = Array.from({ length: 30 }, (_, index) => `C${index}`);
    const lines = formatQuery({ check: { claim: 'kyc.document_country', operator: 'in', value } }).split(
      '\n',
    );
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines.length).toBeGreaterThan(30);
  });

  it('keeps the canonical form, and changes nothing the second time, for random policies', () => {
    const kept = fc.property(policyItem(), (item) => {
      const query = { policy: { allOf: [item] } };
      const formatted = formatQuery(query);
      expect(canonical(JSON.parse(formatted))).toBe(canonical(query));
      expect(formatQuery(JSON.parse(formatted))).toBe(formatted);
    });
    fc.assert(kept, { seed: 1, numRuns: 300 });
  });
});
