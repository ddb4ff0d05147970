/** The default catalogue of scopes, claims and presets, as data. */
import type { CatalogueClaim, CataloguePreset, CatalogueScope, ScopeDefinition } from './catalogue.js';
import { DEFAULT_SCOPE_DEFINITIONS } from './default-scopes.js';

const SCOPES: readonly Omit<CatalogueScope, 'implies'>[] = [
  {
    name: 'openid',
    category: 'profile',
    sensitivity: 'low',
    displayName: 'Sign you in',
    description:
      'Recognize you when you come back, under a name made for this organization alone. Signing in needs this.',
    example: 'usr_7Qm2… – a name for you that is different everywhere else',
  },
  {
    name: 'profile.full',
    category: 'profile',
    sensitivity: 'medium',
    displayName: 'Your whole profile',
    description: 'Everything of low and medium sensitivity about who you are, your checks and your finances.',
  },
  {
    name: 'data.read',
    category: 'profile',
    sensitivity: 'medium',
    displayName: 'Your credentials',
    description: 'See the credentials themselves, within what else you share here.',
    example: '“Identity check, by Verify Now, of 17 April 2026, good until 3 March 2027”',
  },
  {
    name: 'identity:read',
    category: 'identity',
    sensitivity: 'medium',
    displayName: 'Who you are',
    description: 'Your nationality, country of residence, e-mail address, phone number and accounts.',
    example: 'Portuguese, living in Portugal, ada@example.org, +351 21 000 0000',
  },
  {
    name: 'identity:date_of_birth',
    category: 'identity',
    sensitivity: 'high',
    displayName: 'Your date of birth',
    description: 'The day you were born, and so how old you are.',
    example: '2 February 1992, so 34 years old',
  },
  {
    name: 'identity:legal_name',
    category: 'identity',
    sensitivity: 'high',
    displayName: 'Your legal name',
    description: 'Your name as it stands in your documents.',
    example: 'Ada Ferreira Lopes',
  },
  {
    name: 'identity:address_postal_code',
    category: 'identity',
    sensitivity: 'high',
    displayName: 'Your postal code',
    description: 'The postal code of where you live.',
    example: '1100-148',
  },
  {
    name: 'identity:address_full',
    category: 'identity',
    sensitivity: 'high',
    displayName: 'Your address',
    description: 'The full address of where you live.',
    example: 'Rua Augusta 100, 1100-148 Lisboa, Portugal',
  },
  {
    name: 'profile',
    category: 'identity',
    sensitivity: 'high',
    displayName: 'Your name and date of birth',
    description: 'Your name as it stands in your documents, and the day you were born.',
    example: 'Ada Ferreira Lopes, born on 2 February 1992',
  },
  {
    name: 'email',
    category: 'identity',
    sensitivity: 'medium',
    displayName: 'Your e-mail address',
    description: 'An e-mail address at which you can be reached.',
    example: 'ada@example.org',
  },
  {
    name: 'phone',
    category: 'identity',
    sensitivity: 'medium',
    displayName: 'Your phone number',
    description: 'A phone number at which you can be reached.',
    example: '+351 21 000 0000',
  },
  {
    name: 'address',
    category: 'identity',
    sensitivity: 'high',
    displayName: 'Where you live',
    description: 'The full address of where you live.',
    example: 'Rua Augusta 100, 1100-148 Lisboa, Portugal',
  },
  {
    name: 'kyc:read',
    category: 'kyc',
    sensitivity: 'medium',
    displayName: 'Your identity checks',
    description:
      'Whether you passed checks of identity and sanctions, when, and with which kind of document.',
    example: 'Passed, enhanced, on 17 April 2026, with a Portuguese passport; on no list of sanctions',
  },
  {
    name: 'kyc:tax_residency',
    category: 'kyc',
    sensitivity: 'high',
    displayName: 'Where you pay taxes',
    description: 'The country in which you are resident for taxes.',
    example: 'Portugal',
  },
  {
    name: 'kyc:document_number',
    category: 'kyc',
    sensitivity: 'high',
    displayName: 'Your document’s number',
    description: 'The number of the document with which you were checked.',
    example: 'CA123456',
  },
  {
    name: 'kyc:tax_id',
    category: 'kyc',
    sensitivity: 'critical',
    displayName: 'Your tax number',
    description: 'The number under which you pay taxes.',
    example: '123456789',
  },
  {
    name: 'financial:read',
    category: 'financial',
    sensitivity: 'medium',
    displayName: 'Your trading',
    description: 'Your balance at exchanges and how often you trade.',
    example: '$1,250.50 at exchanges; trades now and then',
  },
  {
    name: 'financial:net_worth',
    category: 'financial',
    sensitivity: 'high',
    displayName: 'Your net worth',
    description: 'What you own less what you owe.',
    example: '$126,330',
  },
  {
    name: 'financial:bank_balance',
    category: 'financial',
    sensitivity: 'high',
    displayName: 'Your bank balance',
    description: 'What is in your bank accounts.',
    example: '$18,250',
  },
  {
    name: 'financial:credit_card_balance',
    category: 'financial',
    sensitivity: 'high',
    displayName: 'Your credit cards',
    description: 'What you owe on credit cards.',
    example: '$420 owed',
  },
  {
    name: 'financial:loan_balance',
    category: 'financial',
    sensitivity: 'high',
    displayName: 'Your loans',
    description: 'What you owe on loans.',
    example: 'No loans',
  },
  {
    name: 'financial:investment_balance',
    category: 'financial',
    sensitivity: 'high',
    displayName: 'Your investments',
    description: 'What your investment accounts are worth.',
    example: '$61,000',
  },
  {
    name: 'financial:retirement_balance',
    category: 'financial',
    sensitivity: 'high',
    displayName: 'Your retirement savings',
    description: 'What your retirement accounts are worth.',
    example: '$34,500',
  },
  {
    name: 'financial:tradfi_balance',
    category: 'financial',
    sensitivity: 'high',
    displayName: 'Your accounts together',
    description: 'What your bank and investment accounts are worth together.',
    example: '$113,750',
  },
  {
    name: 'financial:onchain_balance',
    category: 'financial',
    sensitivity: 'high',
    displayName: 'Your wallets',
    description: 'What the wallets that you proved to be yours are worth.',
    example: '$13,000',
  },
  {
    name: 'financial:total_liabilities',
    category: 'financial',
    sensitivity: 'high',
    displayName: 'What you owe',
    description: 'All that you owe, together.',
    example: '$420 owed',
  },
  {
    name: 'financial:verified_income',
    category: 'financial',
    sensitivity: 'high',
    displayName: 'Your income',
    description: 'What you earn in a year, as verified.',
    example: '$58,000 a year',
  },
];

/** The scopes of the default catalogue. */
export const DEFAULT_SCOPES: readonly CatalogueScope[] = /* @__PURE__ */ SCOPES.map((scope) => {
  const definitions: readonly ScopeDefinition[] = DEFAULT_SCOPE_DEFINITIONS;
  // Each is defined there, as is a scope for each claim.
  const { implies, covers = [] } = definitions.find(({ name }) => name === scope.name) as ScopeDefinition;
  const alsoCovers = covers.filter((path) => scopeOf(path) !== scope.name);
  return {
    ...scope,
    ...(implies === undefined ? {} : { implies }),
    ...(alsoCovers.length === 0 ? {} : { alsoCovers }),
  };
});

const CLAIMS = [
  {
    path: 'identity.service_uuid',
    type: 'string',
    sensitivity: 'low',
    displayName: 'identifier',
    description: 'An identifier of the person, another one for each organization.',
  },
  {
    path: 'identity.service_score',
    type: 'number',
    sensitivity: 'medium',
    displayName: 'verification score',
    description: 'A score of how well the person is verified.',
  },
  {
    path: 'identity.is_human',
    type: 'boolean',
    sensitivity: 'low',
    displayName: 'verification as a human',
    description: 'Whether a living person was seen.',
  },
  {
    path: 'identity.palm_verified',
    type: 'boolean',
    sensitivity: 'low',
    displayName: 'palm verification',
    description: 'Whether the person’s palm was verified.',
  },
  {
    path: 'identity.country_of_residence',
    type: 'string',
    sensitivity: 'medium',
    description: 'Where the person lives, ISO 3166-1 alpha-2.',
    format: 'country',
  },
  {
    path: 'identity.residency_region',
    type: 'string',
    sensitivity: 'low',
    displayName: 'region of residence',
    description: 'The world region in which the person lives (UN M49).',
    derived: { parent: 'identity.country_of_residence', rule: 'region' },
  },
  {
    path: 'identity.nationality',
    type: 'string',
    sensitivity: 'medium',
    description: 'The person’s nationality, ISO 3166-1 alpha-2.',
    format: 'country',
  },
  {
    path: 'identity.email',
    type: 'string',
    sensitivity: 'medium',
    displayName: 'e-mail address',
    description: 'An e-mail address that the person has proved to be theirs.',
  },
  {
    path: 'identity.phone',
    type: 'string',
    sensitivity: 'medium',
    displayName: 'phone number',
    description: 'A phone number that the person has proved to be theirs, E.164.',
  },
  {
    path: 'identity.social_accounts',
    type: 'array',
    sensitivity: 'medium',
    description: 'Accounts elsewhere, each with site, handle and whether it was verified.',
  },
  {
    path: 'identity.wallet_addresses',
    type: 'array',
    sensitivity: 'medium',
    description: 'The addresses of wallets that the person has proved to be theirs.',
    reveals: ['identity.primary_wallet_address'],
  },
  {
    path: 'identity.primary_wallet_address',
    type: 'string',
    sensitivity: 'medium',
    displayName: 'main wallet address',
    description: 'The address of the wallet that the person uses first.',
    reveals: ['identity.wallet_addresses'],
  },
  {
    path: 'identity.date_of_birth',
    type: 'date',
    sensitivity: 'high',
    description: 'The day on which the person was born.',
  },
  {
    path: 'identity.age',
    type: 'integer',
    sensitivity: 'high',
    description: 'Full years since the day of birth, in UTC.',
    derived: { parent: 'identity.date_of_birth', rule: 'full_years' },
  },
  {
    path: 'identity.age_over_18',
    type: 'boolean',
    sensitivity: 'high',
    displayName: 'age',
    description: 'Whether the person is 18 or older.',
    derived: { parent: 'identity.date_of_birth', check: { operator: '<=', yearsBeforeNow: 18 } },
  },
  {
    path: 'identity.age_over_21',
    type: 'boolean',
    sensitivity: 'high',
    displayName: 'age',
    description: 'Whether the person is 21 or older.',
    derived: { parent: 'identity.date_of_birth', check: { operator: '<=', yearsBeforeNow: 21 } },
  },
  {
    path: 'identity.legal_name',
    type: 'string',
    sensitivity: 'high',
    description: 'The person’s name as it stands in their documents.',
  },
  {
    path: 'identity.address_postal_code',
    type: 'string',
    sensitivity: 'high',
    displayName: 'postal code',
    description: 'The postal code of where the person lives.',
    reveals: ['identity.address_full', 'identity.country_of_residence'],
  },
  {
    path: 'identity.address_full',
    type: 'object',
    sensitivity: 'high',
    displayName: 'address',
    description: 'Where the person lives: street, locality, region, postal_code, country.',
    reveals: ['identity.address_postal_code', 'identity.country_of_residence'],
  },
  {
    path: 'kyc.passed',
    type: 'boolean',
    sensitivity: 'low',
    displayName: 'identity check',
    description: 'Whether a check of identity was passed.',
  },
  {
    path: 'kyc.level',
    type: 'enum',
    sensitivity: 'low',
    displayName: 'level of identity check',
    description: 'How thorough the check of identity was.',
    values: ['none', 'basic', 'enhanced'],
    reveals: ['kyc.passed'],
  },
  {
    path: 'kyc.last_updated_at',
    type: 'datetime',
    sensitivity: 'low',
    displayName: 'latest identity check',
    description: 'When the check of identity was last done.',
  },
  {
    path: 'kyc.sanctions_clear',
    type: 'boolean',
    sensitivity: 'medium',
    displayName: 'sanctions check',
    description: 'Whether the person is on no sanctions list.',
  },
  {
    path: 'kyc.aml_screening_passed',
    type: 'boolean',
    sensitivity: 'medium',
    displayName: 'money laundering screening',
    description: 'Whether a screening against money laundering was passed.',
  },
  {
    path: 'kyc.pep_status',
    type: 'boolean',
    sensitivity: 'medium',
    displayName: 'political exposure',
    description: 'Whether the person is politically exposed.',
  },
  {
    path: 'kyc.is_high_risk',
    type: 'boolean',
    sensitivity: 'medium',
    displayName: 'risk level',
    description: 'Whether the check found a high risk.',
  },
  {
    path: 'kyc.geo_blocked_region',
    type: 'boolean',
    sensitivity: 'medium',
    displayName: 'region',
    description: 'Whether the person lives in a region that is not served.',
    reveals: ['identity.country_of_residence'],
  },
  {
    path: 'kyc.employment_status',
    type: 'enum',
    sensitivity: 'medium',
    description: 'How the person works.',
    values: ['employed', 'self_employed', 'unemployed', 'student', 'retired'],
  },
  {
    path: 'kyc.document_type',
    type: 'string',
    sensitivity: 'medium',
    description: 'The kind of document with which the person was checked.',
  },
  {
    path: 'kyc.document_country',
    type: 'string',
    sensitivity: 'medium',
    description: 'The country that issued the document, ISO 3166-1 alpha-2.',
    format: 'country',
  },
  {
    path: 'kyc.document_expiry_date',
    type: 'date',
    sensitivity: 'medium',
    description: 'The last day of the document.',
  },
  {
    path: 'kyc.tax_residency',
    type: 'string',
    sensitivity: 'high',
    description: 'The country in which the person is resident for taxes.',
    format: 'country',
  },
  {
    path: 'kyc.document_number',
    type: 'string',
    sensitivity: 'high',
    description: 'The number of the document with which the person was checked.',
  },
  {
    path: 'kyc.tax_id',
    type: 'string',
    sensitivity: 'critical',
    displayName: 'tax number',
    description: 'The number under which the person pays taxes.',
  },
  {
    path: 'financial.cex_balance',
    type: 'number',
    sensitivity: 'medium',
    displayName: 'exchange balance',
    description: 'The balance at centralised exchanges, in USD.',
    format: 'USD',
  },
  {
    path: 'financial.trading_frequency_score',
    type: 'number',
    sensitivity: 'medium',
    description: 'A score of how often the person trades.',
  },
  {
    path: 'financial.net_worth',
    type: 'number',
    sensitivity: 'high',
    description: 'What the person owns less what they owe, in USD.',
    format: 'USD',
  },
  {
    path: 'financial.net_worth_above_10k',
    type: 'boolean',
    sensitivity: 'high',
    displayName: 'net worth',
    description: 'Whether the net worth is above 10,000 USD.',
    derived: { parent: 'financial.net_worth', check: { operator: '>', value: 10_000 } },
  },
  {
    path: 'financial.net_worth_above_100k',
    type: 'boolean',
    sensitivity: 'high',
    displayName: 'net worth',
    description: 'Whether the net worth is above 100,000 USD.',
    derived: { parent: 'financial.net_worth', check: { operator: '>', value: 100_000 } },
  },
  {
    path: 'financial.bank_balance',
    type: 'number',
    sensitivity: 'high',
    description: 'What is in the person’s bank accounts, in USD.',
    format: 'USD',
  },
  {
    path: 'financial.credit_card_balance',
    type: 'number',
    sensitivity: 'high',
    description: 'What the person owes on credit cards, in USD.',
    format: 'USD',
  },
  {
    path: 'financial.loan_balance',
    type: 'number',
    sensitivity: 'high',
    description: 'What the person owes on loans, in USD.',
    format: 'USD',
  },
  {
    path: 'financial.investment_balance',
    type: 'number',
    sensitivity: 'high',
    description: 'What the person’s investment accounts are worth, in USD.',
    format: 'USD',
  },
  {
    path: 'financial.retirement_balance',
    type: 'number',
    sensitivity: 'high',
    description: 'What the person’s retirement accounts are worth, in USD.',
    format: 'USD',
  },
  {
    path: 'financial.tradfi_balance',
    type: 'number',
    sensitivity: 'high',
    displayName: 'bank and investment balance',
    description: 'Bank and investment accounts together, in USD.',
    format: 'USD',
    reveals: ['financial.bank_balance', 'financial.investment_balance'],
  },
  {
    path: 'financial.onchain_balance',
    type: 'number',
    sensitivity: 'high',
    displayName: 'wallet balance',
    description: 'What the wallets that the person proved to be theirs are worth, in USD.',
    format: 'USD',
  },
  {
    path: 'financial.total_liabilities',
    type: 'number',
    sensitivity: 'high',
    description: 'All that the person owes, in USD.',
    format: 'USD',
  },
  {
    path: 'financial.verified_income',
    type: 'number',
    sensitivity: 'high',
    description: 'What the person earns in a year, in USD.',
    format: 'USD',
  },
] as const satisfies readonly Omit<CatalogueClaim, 'scope'>[];

/** The claims of the default catalogue. */
export const DEFAULT_CLAIMS: readonly CatalogueClaim[] = /* @__PURE__ */ CLAIMS.map(
  ({ path, type, ...rest }) => ({ path, type, scope: scopeOf(path), ...rest }),
);

/** A claim of the default catalogue, with its literal types. */
export type DefaultClaim = Scoped<(typeof CLAIMS)[number]>;

/** A claim with the scope that covers it. */
type Scoped<Claim> = Claim extends { readonly path: infer Path }
  ? Claim & { readonly scope: ScopeCovering<Path> }
  : never;

/** Scopes that cover claims of another scope. */
type NarrowerScope = 'email' | 'phone';

type ScopeCovering<Path> = (typeof DEFAULT_SCOPE_DEFINITIONS)[number] extends infer Scope
  ? Scope extends { readonly name: infer Name; readonly covers: readonly (infer Covered)[] }
    ? Path extends Covered
      ? Exclude<Name, NarrowerScope>
      : never
    : never
  : never;

export const DEFAULT_PRESETS: readonly CataloguePreset[] = [
  {
    name: 'service_uuid',
    claim: 'identity.service_uuid',
    consentText: 'An identifier of you that nobody else is shown',
  },
  {
    name: 'service_score',
    claim: 'identity.service_score',
    consentText: 'How well you are verified, as a score',
  },
  { name: 'is_human', claim: 'identity.is_human', consentText: 'That you are a person and no program' },
  { name: 'palm_verified', claim: 'identity.palm_verified', consentText: 'Whether your palm was verified' },
  {
    name: 'country_of_residence',
    claim: 'identity.country_of_residence',
    consentText: 'The country in which you live',
  },
  {
    name: 'residency_region',
    claim: 'identity.residency_region',
    consentText: 'The part of the world in which you live',
  },
  { name: 'nationality', claim: 'identity.nationality', consentText: 'Your nationality' },
  { name: 'email', claim: 'identity.email', consentText: 'Your e-mail address' },
  { name: 'phone', claim: 'identity.phone', consentText: 'Your phone number' },
  { name: 'social_accounts', claim: 'identity.social_accounts', consentText: 'Your accounts on other sites' },
  {
    name: 'wallet_addresses',
    claim: 'identity.wallet_addresses',
    consentText: 'The addresses of your wallets',
  },
  {
    name: 'primary_wallet_address',
    claim: 'identity.primary_wallet_address',
    consentText: 'The address of your main wallet',
  },
  { name: 'date_of_birth', claim: 'identity.date_of_birth', consentText: 'The day on which you were born' },
  { name: 'age', claim: 'identity.age', consentText: 'How old you are, in years' },
  {
    name: 'age_over_18',
    claim: 'identity.age_over_18',
    consentText: 'Whether you are 18 or older, without your age',
  },
  {
    name: 'age_over_21',
    claim: 'identity.age_over_21',
    consentText: 'Whether you are 21 or older, without your age',
  },
  {
    name: 'legal_name',
    claim: 'identity.legal_name',
    consentText: 'Your name as it stands in your documents',
  },
  { name: 'address_postal_code', claim: 'identity.address_postal_code', consentText: 'Your postal code' },
  { name: 'address_full', claim: 'identity.address_full', consentText: 'Your full address' },
  { name: 'kyc_passed', claim: 'kyc.passed', consentText: 'Whether you passed a check of your identity' },
  { name: 'kyc_level', claim: 'kyc.level', consentText: 'How thoroughly your identity was checked' },
  {
    name: 'kyc_last_updated_at',
    claim: 'kyc.last_updated_at',
    consentText: 'When your identity was last checked',
  },
  {
    name: 'sanctions_clear',
    claim: 'kyc.sanctions_clear',
    consentText: 'Whether you are on no sanctions list',
  },
  {
    name: 'aml_screening_passed',
    claim: 'kyc.aml_screening_passed',
    consentText: 'Whether you passed a screening against money laundering',
  },
  {
    name: 'pep_status',
    claim: 'kyc.pep_status',
    consentText: 'Whether you hold a prominent public function',
  },
  { name: 'is_high_risk', claim: 'kyc.is_high_risk', consentText: 'Whether the check found a high risk' },
  {
    name: 'geo_blocked_region',
    claim: 'kyc.geo_blocked_region',
    consentText: 'Whether you live in a region that is not served',
  },
  { name: 'employment_status', claim: 'kyc.employment_status', consentText: 'How you work' },
  {
    name: 'document_type',
    claim: 'kyc.document_type',
    consentText: 'The kind of document with which you were checked',
  },
  {
    name: 'document_country',
    claim: 'kyc.document_country',
    consentText: 'The country that issued your document',
  },
  {
    name: 'document_expiry_date',
    claim: 'kyc.document_expiry_date',
    consentText: 'The last day of your document',
  },
  { name: 'tax_residency', claim: 'kyc.tax_residency', consentText: 'The country in which you pay taxes' },
  { name: 'document_number', claim: 'kyc.document_number', consentText: 'The number of your document' },
  { name: 'tax_id', claim: 'kyc.tax_id', consentText: 'The number under which you pay taxes' },
  { name: 'cex_balance', claim: 'financial.cex_balance', consentText: 'Your balance at exchanges' },
  {
    name: 'trading_frequency_score',
    claim: 'financial.trading_frequency_score',
    consentText: 'How often you trade, as a score',
  },
  { name: 'net_worth_total', claim: 'financial.net_worth', consentText: 'Your net worth' },
  {
    name: 'net_worth_above_10k',
    claim: 'financial.net_worth_above_10k',
    consentText: 'Whether your net worth is above 10,000 USD, without the amount',
  },
  {
    name: 'net_worth_above_100k',
    claim: 'financial.net_worth_above_100k',
    consentText: 'Whether your net worth is above 100,000 USD, without the amount',
  },
  {
    name: 'bank_balance_total',
    claim: 'financial.bank_balance',
    consentText: 'What is in your bank accounts',
  },
  {
    name: 'credit_card_balance',
    claim: 'financial.credit_card_balance',
    consentText: 'What you owe on credit cards',
  },
  { name: 'loan_balance_total', claim: 'financial.loan_balance', consentText: 'What you owe on loans' },
  {
    name: 'investment_account_balance',
    claim: 'financial.investment_balance',
    consentText: 'What your investment accounts are worth',
  },
  {
    name: 'retirement_account_balance',
    claim: 'financial.retirement_balance',
    consentText: 'What your retirement accounts are worth',
  },
  {
    name: 'tradfi_balance',
    claim: 'financial.tradfi_balance',
    consentText: 'What your bank and investment accounts are worth together',
  },
  { name: 'onchain_balance', claim: 'financial.onchain_balance', consentText: 'What your wallets are worth' },
  { name: 'total_liabilities', claim: 'financial.total_liabilities', consentText: 'All that you owe' },
  { name: 'verified_income', claim: 'financial.verified_income', consentText: 'What you earn in a year' },
];

/** The first scope that covers a claim is the claim's own. */
function scopeOf(path: string): string {
  const definitions: readonly ScopeDefinition[] = DEFAULT_SCOPE_DEFINITIONS;
  return (definitions.find(({ covers = [] }) => covers.includes(path)) as ScopeDefinition).name;
}
