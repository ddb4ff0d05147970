/** Policy sets for which the index helps least. */

export interface HostileSet {
  readonly name: string;
  /** Returns the policy with a number. */
  policy(index: number): object;
  /** The claims to match. */
  readonly person: Readonly<Record<string, unknown>>;
}

export const HOSTILE_SETS: readonly HostileSet[] = [
  {
    name: 'all pass',
    policy: (index) => ({
      policy: {
        allOf: [
          { claim: 'a.number', operator: '<', value: 1_000_000 + index },
          { claim: 'a.text', operator: 'isDefined' },
        ],
      },
    }),
    person: { 'a.number': 7, 'a.text': 'x' },
  },
  {
    name: 'no shared check',
    policy: (index) => ({
      policy: {
        allOf: Array.from({ length: 6 }, (_, check) => ({
          claim: `a.claim_${check}`,
          operator: '!=',
          value: `${index}-${check}`,
        })),
      },
    }),
    person: Object.fromEntries(Array.from({ length: 6 }, (_, check) => [`a.claim_${check}`, 'x'])),
  },
  {
    name: 'all patterns',
    policy: (index) => ({ check: { claim: 'a.text', operator: 'matchRegex', value: `[a-m]${index}[n-z]` } }),
    person: { 'a.text': 'a77z b1234y' },
  },
  {
    name: 'all negated',
    policy: (index) => ({ policy: { not: { claim: 'a.number', operator: '==', value: index } } }),
    person: { 'a.number': 7 },
  },
];
