/** Worked policies to begin with: each asks what somebody has to ask, and shows something of the language. */

import { formatInstant } from '../../../engine/index.js';
import { MS_PER_DAY } from '../../../util/time.js';

/** One worked policy. */
export interface ExamplePolicy {
  readonly id: string;
  readonly title: string;
  /** What it asks, in a sentence. */
  readonly about: string;
  /** The query, as it is put into the editor. */
  readonly text: string;
}

const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** Widest line of a value that is not broken up. */
const LINE_CODE_UNITS = 90;

/** The gallery as of a day: what is fresh depends on it. @param now - Epoch milliseconds. */
export function gallery(now: number): readonly ExamplePolicy[] {
  const daysAgo = (days: number) => formatInstant(now - days * MS_PER_DAY).slice(0, DATE_LENGTH);
  return [
    example('fresh', 'Recent KYC check', 'Checked within 90 days, or in depth; and clear of sanctions.', {
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
    }),
    example('age', 'Of age', 'Eighteen or older, and a person: no date of birth is told.', {
      policy: {
        allOf: [check('identity.age_over_18', '==', true), check('identity.is_human', '==', true)],
      },
    }),
    example(
      'residence',
      'Lives in Europe',
      'By the country they live in now, with somewhere to reach them.',
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
    example('investor', 'Accredited investor', 'Wealth or income above a bar, and no political exposure.', {
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
    }),
    example('pattern', 'A pattern', 'An address at one of two domains, matched in linear time.', {
      check: check('identity.email', 'matchRegex', '@example\\.(org|com)$'),
    }),
    example('disclose', 'Only a part', 'No condition: the street stays hidden, the city is told.', {
      projections: [
        { claim: 'identity.address_full', lens: 'pick', fields: ['locality', 'country'] },
        { claim: 'identity.wallet_addresses', lens: 'at', index: 0 },
        { claim: 'kyc.level', lens: 'pluck' },
      ],
    }),
  ];
}

/** JSON as a person would set it: what fits on a line stands on one. */
export function toReadableJson(value: unknown, indent = ''): string {
  const line = oneLine(value);
  const isPlain = typeof value !== 'object' || value === null;
  // A list of rooms is easier read from above to below, however short it is.
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

function example(id: string, title: string, about: string, query: unknown): ExamplePolicy {
  return { id, title, about, text: toReadableJson(query) };
}

function check(claim: string, operator: string, value?: unknown): object {
  return value === undefined ? { claim, operator } : { claim, operator, value };
}
