/** The three measured queries. Each passes for about half of the people. */
import { COUNTRY_CODES } from './claims.js';
import { createSeededNumbers } from './random.js';
import type { Workload, WorkloadName } from './scenario.js';

/** A list operand of the workload of fifty checks: 100 of the 240 country codes. */
function listOfCountries(seed: number): readonly string[] {
  return createSeededNumbers(seed).sample(COUNTRY_CODES, 100);
}

/** One list for each of the ten groups of the fifty checks. The hand-written function uses the same lists. */
export const COUNTRY_LISTS = Array.from({ length: 10 }, (_, index) => listOfCountries(100 + index));

const one: Workload = {
  name: 'one',
  title: 'one check',
  query: { check: { claim: 'identity.age', operator: '>=', value: 50 } },
};

const six: Workload = {
  name: 'six',
  title: 'six checks, nested three deep',
  query: {
    policy: {
      allOf: [
        { claim: 'identity.age', operator: '>=', value: 18 },
        { claim: 'kyc.level', operator: 'in', value: ['basic', 'enhanced', 'full'] },
        {
          anyOf: [
            { claim: 'kyc.passed', operator: '==', value: true },
            {
              allOf: [
                { claim: 'identity.service_score', operator: '>', value: 40 },
                { not: { claim: 'kyc.document_type', operator: '==', value: 'driving_licence' } },
                { claim: 'financial.total_liabilities', operator: '<', value: 90_000 },
              ],
            },
          ],
        },
      ],
    },
  },
};

const fifty: Workload = {
  name: 'fifty',
  title: 'fifty checks, with ten patterns and ten lists of 100',
  query: {
    policy: {
      allOf: [
        anyOf(
          ['identity.country_of_residence', 'in', COUNTRY_LISTS[0]],
          ['identity.phone', 'matchRegex', '^\\+351'],
          ['identity.service_score', '>=', 40],
          ['kyc.level', '==', 'enhanced'],
          ['identity.palm_verified', '==', true],
        ),
        anyOf(
          ['identity.email', 'matchRegex', '@example\\.(com|org)$'],
          ['identity.nationality', 'in', COUNTRY_LISTS[1]],
          ['financial.net_worth', '>', 50_000],
          ['kyc.employment_status', '!=', 'unemployed'],
          ['kyc.sanctions_clear', '==', true],
        ),
        anyOf(
          ['kyc.document_country', 'in', COUNTRY_LISTS[2]],
          ['kyc.document_number', 'matchRegex', '^[A-D][A-M][0-9]{6}$'],
          ['identity.age', '<', 40],
          ['kyc.aml_screening_passed', '==', true],
          ['financial.bank_balance', '>=', 60_000],
        ),
        anyOf(
          ['kyc.pep_status', '==', false],
          ['kyc.tax_residency', 'notIn', COUNTRY_LISTS[3]],
          ['identity.address_postal_code', 'matchRegex', '^[1-3][0-9]{3}-'],
          ['identity.legal_name', 'startsWith', 'Ada'],
          ['financial.loan_balance', '<=', 30_000],
        ),
        anyOf(
          ['identity.email', 'matchRegex', '^(ada|bela|carla)\\.'],
          ['financial.verified_income', '>', 45_000],
          ['identity.country_of_residence', 'in', COUNTRY_LISTS[4]],
          ['identity.is_human', '==', true],
          ['kyc.document_type', '==', 'passport'],
        ),
        anyOf(
          ['financial.trading_frequency_score', '<', 50],
          ['identity.nationality', 'notIn', COUNTRY_LISTS[5]],
          ['kyc.tax_id', 'matchRegex', '^[A-J][A-X]-[0-4]'],
          ['kyc.is_high_risk', '==', false],
          ['identity.phone', 'startsWith', '+4'],
        ),
        anyOf(
          ['kyc.document_country', 'in', COUNTRY_LISTS[6]],
          ['identity.email', 'matchRegex', 'example\\.net$'],
          ['financial.onchain_balance', '>=', 55_000],
          ['kyc.level', '!=', 'none'],
          ['identity.age', '>=', 65],
        ),
        anyOf(
          ['identity.legal_name', 'matchRegex', 'Grace'],
          ['financial.credit_card_balance', '<', 50_000],
          ['kyc.tax_residency', 'in', COUNTRY_LISTS[7]],
          ['kyc.passed', '==', true],
          ['identity.service_score', '>', 80],
        ),
        anyOf(
          ['financial.cex_balance', '>', 40_000],
          ['identity.country_of_residence', 'notIn', COUNTRY_LISTS[8]],
          ['identity.phone', 'matchRegex', '^\\+(44|49|33)[0-9]{9}$'],
          ['kyc.employment_status', '==', 'employed'],
          ['identity.palm_verified', '==', false],
        ),
        anyOf(
          ['kyc.document_country', 'in', COUNTRY_LISTS[9]],
          ['identity.email', 'matchRegex', '[0-4]@(mail|post)\\.'],
          ['financial.investment_balance', '<=', 45_000],
          ['kyc.document_type', '!=', 'driving_licence'],
          ['financial.total_liabilities', '<', 20_000],
        ),
      ],
    },
  },
};

export const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = { one, six, fifty };

function anyOf(...checks: readonly (readonly [string, string, unknown])[]): unknown {
  return { anyOf: checks.map(([claim, operator, value]) => ({ claim, operator, value })) };
}
