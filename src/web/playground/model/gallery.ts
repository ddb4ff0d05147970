/** Example policies: each is a realistic use case, and shows a feature of the language. */

import { formatInstant } from '../../../engine/index.js';
import { MS_PER_DAY } from '../../../util/time.js';

/** An example policy. */
export interface ExamplePolicy {
  readonly id: string;
  readonly title: string;
  /** A sentence that describes it. */
  readonly description: string;
  /** The query as formatted JSON. */
  readonly text: string;
}

const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** Maximum length of a value on one line. */
const LINE_CODE_UNITS = 90;

/** Returns the examples; their dates are relative to `now`. @param now - Epoch milliseconds. */
export function gallery(now: number): readonly ExamplePolicy[] {
  const daysAgo = (days: number) => formatInstant(now - days * MS_PER_DAY).slice(0, DATE_LENGTH);
  return [
    example(
      'fresh',
      'Recent KYC check',
      'Checked within 90 days, or in depth; and not on a sanctions list.',
      {
        policy: {
          allOf: [
            check('kyc.passed', '==', true),
            {
              anyOf: [check('kyc.last_updated_at', '>=', daysAgo(90)), check('kyc.level', '==', 'enhanced')],
            },
            check('kyc.sanctions_clear', '==', true),
            { not: check('kyc.document_country', 'in', ['KP', 'IR']) },
          ],
        },
      },
    ),
    example('age', 'Of age', 'Eighteen or older, and a human. Does not disclose the date of birth.', {
      policy: {
        allOf: [check('identity.age_over_18', '==', true), check('identity.is_human', '==', true)],
      },
    }),
    example(
      'residence',
      'Lives in Europe',
      'By country of residence, with an e-mail address or a phone number.',
      {
        policy: {
          allOf: [
            check('identity.residency_region', '==', 'Europe'),
            check('identity.country_of_residence', 'notIn', ['RU', 'BY']),
            {
              anyOf: [check('identity.email', 'isDefined'), check('identity.phone', 'startsWith', '+')],
            },
          ],
        },
      },
    ),
    example(
      'investor',
      'Accredited investor',
      'Wealth or income above a threshold, and not politically exposed.',
      {
        policy: {
          allOf: [
            check('identity.age', '>=', 18),
            {
              anyOf: [
                check('financial.net_worth', '>=', 1_000_000),
                check('financial.verified_income', '>=', 200_000),
              ],
            },
            check('kyc.aml_screening_passed', '==', true),
            {
              not: {
                anyOf: [check('kyc.pep_status', '==', true), check('kyc.is_high_risk', '==', true)],
              },
            },
          ],
        },
      },
    ),
    example('pattern', 'A pattern', 'An e-mail address at one of two domains, matched in linear time.', {
      check: check('identity.email', 'matchRegex', '@example\\.(org|com)$'),
    }),
    example('disclose', 'Only a part', 'No condition: discloses the city, but not the street.', {
      projections: [
        { claim: 'identity.address_full', lens: 'pick', fields: ['locality', 'country'] },
        { claim: 'identity.wallet_addresses', lens: 'at', index: 0 },
        { claim: 'kyc.level', lens: 'pluck' },
      ],
    }),
  ];
}

/** Formats JSON for reading: a value that fits on a line stays on one line. */
export function toReadableJson(value: unknown, indent = ''): string {
  const line = oneLine(value);
  const isPlain = typeof value !== 'object' || value === null;
  // Nested objects are easier to read on separate lines, even if they are short.
  if (isPlain || (line.length + indent.length <= LINE_CODE_UNITS && !hasNestedObjects(value))) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => `${inner}${toReadableJson(entry, inner)}`);
    return `[\n${entries.join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${toReadableJson(member, inner)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}

function hasNestedObjects(value: object): boolean {
  return Object.values(value).some(
    (inner: unknown) => typeof inner === 'object' && inner !== null && !isPrimitiveList(inner),
  );
}

function isPrimitiveList(value: object): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry !== 'object' || entry === null);
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function example(id: string, title: string, description: string, query: unknown): ExamplePolicy {
  return { id, title, description: description, text: toReadableJson(query) };
}

function check(claim: string, operator: string, value?: unknown): object {
  return value === undefined ? { claim, operator } : { claim, operator, value };
}
