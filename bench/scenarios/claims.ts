/** The claims that the measured people have, with the values that they may take. */
import type { SeededNumbers } from './random.js';

export type ClaimValue = string | number | boolean;

/** The type of a claim, and how its values are drawn. */
interface ClaimSource {
  readonly type: 'number' | 'string' | 'boolean';
  draw(numbers: SeededNumbers): ClaimValue;
}

/** 240 codes of two letters, like country codes. */
export const COUNTRY_CODES: readonly string[] = Array.from('ABCDEFGHIJ').flatMap((first) =>
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWX', (second) => first + second),
);
const DIAL_CODES = ['+351', '+44', '+49', '+33', '+34', '+39', '+41', '+1'] as const;
const MAIL_HOSTS = [
  'example.org',
  'example.com',
  'mail.example.net',
  'post.example.net',
  'ada.example',
] as const;
const KYC_LEVELS = ['none', 'basic', 'enhanced', 'full'] as const;
const EMPLOYMENT = ['employed', 'self_employed', 'student', 'retired', 'unemployed'] as const;
const DOCUMENTS = ['passport', 'identity_card', 'residence_permit', 'driving_licence'] as const;
const NAMES = ['Ada', 'Bela', 'Carla', 'Dario', 'Elsa', 'Filipe', 'Grace', 'Hugo'] as const;

const flag: ClaimSource = { type: 'boolean', draw: (numbers) => numbers.below(2) === 0 };
const score = numeric(101);
const balance = numeric(100_000);
const country = text((numbers) => numbers.pick(COUNTRY_CODES));

/** Every claim by its path, in the order in which uniform people have them. */
export const CLAIMS: Readonly<Record<string, ClaimSource>> = {
  'identity.age': numeric(100),
  'identity.country_of_residence': country,
  'identity.nationality': country,
  'identity.email': text((numbers) => `${name(numbers)}.${digits(numbers, 4)}@${numbers.pick(MAIL_HOSTS)}`),
  'identity.phone': text((numbers) => numbers.pick(DIAL_CODES) + digits(numbers, 9)),
  'identity.legal_name': text((numbers) => `${numbers.pick(NAMES)} ${numbers.pick(NAMES)}`),
  'identity.address_postal_code': text((numbers) => `${digits(numbers, 4)}-${digits(numbers, 3)}`),
  'identity.service_score': score,
  'identity.is_human': flag,
  'identity.palm_verified': flag,
  'kyc.passed': flag,
  'kyc.level': text((numbers) => numbers.pick(KYC_LEVELS)),
  'kyc.sanctions_clear': flag,
  'kyc.aml_screening_passed': flag,
  'kyc.pep_status': flag,
  'kyc.is_high_risk': flag,
  'kyc.employment_status': text((numbers) => numbers.pick(EMPLOYMENT)),
  'kyc.document_type': text((numbers) => numbers.pick(DOCUMENTS)),
  'kyc.document_country': country,
  'kyc.document_number': text((numbers) => numbers.pick(COUNTRY_CODES) + digits(numbers, 6)),
  'kyc.tax_residency': country,
  'kyc.tax_id': text((numbers) => `${numbers.pick(COUNTRY_CODES)}-${digits(numbers, 9)}`),
  'financial.cex_balance': balance,
  'financial.trading_frequency_score': score,
  'financial.net_worth': balance,
  'financial.bank_balance': balance,
  'financial.credit_card_balance': balance,
  'financial.loan_balance': balance,
  'financial.investment_balance': balance,
  'financial.onchain_balance': balance,
  'financial.total_liabilities': balance,
  'financial.verified_income': balance,
};

/** The name of a claim in the flat objects of the other contenders: one identifier, so that no contender splits a path. */
export function flatName(path: string): string {
  return path.replace('.', '_');
}

function numeric(end: number): ClaimSource {
  return { type: 'number', draw: (numbers) => numbers.below(end) };
}

function text(draw: (numbers: SeededNumbers) => string): ClaimSource {
  return { type: 'string', draw };
}

function name(numbers: SeededNumbers): string {
  return numbers.pick(NAMES).toLowerCase();
}

function digits(numbers: SeededNumbers, count: number): string {
  return Array.from({ length: count }, () => numbers.below(10)).join('');
}
