/** Hand-written functions for the three queries: the baseline of all ratios. */
import type { FlatClaims } from '../scenarios/people.js';
import type { Scenario, WorkloadName } from '../scenarios/scenario.js';
import { COUNTRY_LISTS } from '../scenarios/workloads.js';
import type { Contender, FlatPredicate } from './contender.js';

type Claims = FlatClaims & Readonly<Record<NumberClaim, number>> & Readonly<Record<TextClaim, string>>;
type NumberClaim =
  | 'identity_age'
  | 'identity_service_score'
  | `financial_${'total_liabilities' | 'net_worth' | 'bank_balance' | 'loan_balance' | 'verified_income'}`
  | `financial_${'trading_frequency_score' | 'onchain_balance' | 'credit_card_balance' | 'cex_balance'}`
  | 'financial_investment_balance';
type TextClaim =
  | `identity_${'country_of_residence' | 'phone' | 'email' | 'nationality' | 'address_postal_code' | 'legal_name'}`
  | `kyc_${'level' | 'document_country' | 'document_number' | 'tax_residency' | 'tax_id'}`;

const residence = setOf(0);
const nationality = setOf(1);
const documentCountry = setOf(2);
const notTaxResidency = setOf(3);
const otherResidence = setOf(4);
const notNationality = setOf(5);
const otherDocumentCountry = setOf(6);
const taxResidency = setOf(7);
const notResidence = setOf(8);
const thirdDocumentCountry = setOf(9);

const portuguesePhone = /^\+351/;
const exampleMail = /@example\.(com|org)$/;
const documentNumber = /^[A-D][A-M][0-9]{6}$/;
const lowPostalCode = /^[1-3][0-9]{3}-/;
const threeNames = /^(ada|bela|carla)\./;
const lowTaxId = /^[A-J][A-X]-[0-4]/;
const exampleNet = /example\.net$/;
const grace = /Grace/;
const westernPhone = /^\+(44|49|33)[0-9]{9}$/;
const lowMail = /[0-4]@(mail|post)\./;

function one(claims: Claims): boolean {
  return claims.identity_age >= 50;
}

function six(claims: Claims): boolean {
  const level = claims.kyc_level;
  return (
    claims.identity_age >= 18 &&
    (level === 'basic' || level === 'enhanced' || level === 'full') &&
    (claims.kyc_passed === true ||
      (claims.identity_service_score > 40 &&
        claims.kyc_document_type !== 'driving_licence' &&
        claims.financial_total_liabilities < 90_000))
  );
}

function fifty(claims: Claims): boolean {
  return (
    (residence.has(claims.identity_country_of_residence) ||
      portuguesePhone.test(claims.identity_phone) ||
      claims.identity_service_score >= 40 ||
      claims.kyc_level === 'enhanced' ||
      claims.identity_palm_verified === true) &&
    (exampleMail.test(claims.identity_email) ||
      nationality.has(claims.identity_nationality) ||
      claims.financial_net_worth > 50_000 ||
      claims.kyc_employment_status !== 'unemployed' ||
      claims.kyc_sanctions_clear === true) &&
    (documentCountry.has(claims.kyc_document_country) ||
      documentNumber.test(claims.kyc_document_number) ||
      claims.identity_age < 40 ||
      claims.kyc_aml_screening_passed === true ||
      claims.financial_bank_balance >= 60_000) &&
    (claims.kyc_pep_status === false ||
      !notTaxResidency.has(claims.kyc_tax_residency) ||
      lowPostalCode.test(claims.identity_address_postal_code) ||
      claims.identity_legal_name.startsWith('Ada') ||
      claims.financial_loan_balance <= 30_000) &&
    (threeNames.test(claims.identity_email) ||
      claims.financial_verified_income > 45_000 ||
      otherResidence.has(claims.identity_country_of_residence) ||
      claims.identity_is_human === true ||
      claims.kyc_document_type === 'passport') &&
    (claims.financial_trading_frequency_score < 50 ||
      !notNationality.has(claims.identity_nationality) ||
      lowTaxId.test(claims.kyc_tax_id) ||
      claims.kyc_is_high_risk === false ||
      claims.identity_phone.startsWith('+4')) &&
    (otherDocumentCountry.has(claims.kyc_document_country) ||
      exampleNet.test(claims.identity_email) ||
      claims.financial_onchain_balance >= 55_000 ||
      claims.kyc_level !== 'none' ||
      claims.identity_age >= 65) &&
    (grace.test(claims.identity_legal_name) ||
      claims.financial_credit_card_balance < 50_000 ||
      taxResidency.has(claims.kyc_tax_residency) ||
      claims.kyc_passed === true ||
      claims.identity_service_score > 80) &&
    (claims.financial_cex_balance > 40_000 ||
      !notResidence.has(claims.identity_country_of_residence) ||
      westernPhone.test(claims.identity_phone) ||
      claims.kyc_employment_status === 'employed' ||
      claims.identity_palm_verified === false) &&
    (thirdDocumentCountry.has(claims.kyc_document_country) ||
      lowMail.test(claims.identity_email) ||
      claims.financial_investment_balance <= 45_000 ||
      claims.kyc_document_type !== 'driving_licence' ||
      claims.financial_total_liabilities < 20_000)
  );
}

const PREDICATES = { one, six, fifty } as Readonly<Record<WorkloadName, FlatPredicate>>;

const about = { version: `Node ${process.versions.node}`, kind: 'limit' } as const;

/** Called through a variable like every contender, as in a program with several predicates. */
export const handWritten: Contender = {
  ...about,
  name: 'hand-written',
  supports,
  prepare: (scenario) => ({
    mode: 'sync',
    inputs: scenario.people.map(({ flat }) => flat),
    passes: predicateFor(scenario),
  }),
};

/** Called in a dedicated loop into which the optimizer can inline it, which is possible only for a single built-in query. */
export const handWrittenInlined: Contender = {
  ...about,
  name: 'hand-written, inlined',
  note: 'in a dedicated loop, for a single built-in query',
  supports,
  prepare: (scenario) => {
    const passes = predicateFor(scenario);
    const inputs = scenario.people.map(({ flat }) => flat);
    return { mode: 'sync', inputs, passes, countPassed: loopOver(passes) };
  },
};

function supports({ workload }: Scenario): true | string {
  return workload === undefined ? 'it has no hand-written function' : true;
}

function predicateFor({ workload }: Scenario): FlatPredicate {
  if (workload === undefined) throw new Error('this query has no hand-written function');
  return PREDICATES[workload];
}

/** Creates a new loop, so that its call site is monomorphic. */
function loopOver(passes: FlatPredicate): (inputs: readonly unknown[], count: number) => number {
  const body = `return (inputs, count) => {
    let passed = 0;
    let index = 0;
    for (let done = 0; done < count; done += 1) {
      if (passes(inputs[index])) passed += 1;
      index += 1;
      if (index === inputs.length) index = 0;
    }
    return passed;
  };`;
  return new Function('passes', body)(passes);
}

function setOf(index: number): ReadonlySet<string> {
  return new Set(COUNTRY_LISTS[index]);
}
