/** The default catalogue of scopes and claims, as data; deployments may bring their own. */
import { createScopeCatalogue, type ScopeCatalogue, type ScopeDefinition } from './scope-catalogue.js';

/** What a claim's value is, as its issuers attest it. */
export type ClaimType =
  | 'boolean'
  | 'string'
  | 'number'
  | 'integer'
  | 'date'
  | 'datetime'
  | 'array'
  | 'object'
  | 'enum';

export type Sensitivity = 'low' | 'medium' | 'high' | 'critical';

/** A scope that people are asked for. */
export interface CatalogueScope {
  readonly name: string;
  readonly category: string;
  readonly sensitivity: Sensitivity;
  readonly implies?: readonly string[];
}

/** A claim, its type, and the scope that covers it. */
export interface CatalogueClaim {
  readonly path: string;
  readonly type: ClaimType;
  readonly scope: string;
  /** The claim from whose value this one is worked out. */
  readonly derivedFrom?: string;
}

export const DEFAULT_SCOPES: readonly CatalogueScope[] = [
  { name: 'openid', category: 'profile', sensitivity: 'low' },
  {
    name: 'profile.full',
    category: 'profile',
    sensitivity: 'medium',
    implies: ['openid', 'identity:read', 'kyc:read', 'financial:read'],
  },
  { name: 'data.read', category: 'profile', sensitivity: 'medium' },
  { name: 'identity:read', category: 'identity', sensitivity: 'medium' },
  { name: 'identity:date_of_birth', category: 'identity', sensitivity: 'high' },
  { name: 'identity:legal_name', category: 'identity', sensitivity: 'high' },
  { name: 'identity:address_postal_code', category: 'identity', sensitivity: 'high' },
  { name: 'identity:address_full', category: 'identity', sensitivity: 'high' },
  { name: 'kyc:read', category: 'kyc', sensitivity: 'medium' },
  { name: 'kyc:tax_residency', category: 'kyc', sensitivity: 'high' },
  { name: 'kyc:document_number', category: 'kyc', sensitivity: 'high' },
  { name: 'kyc:tax_id', category: 'kyc', sensitivity: 'critical' },
  { name: 'financial:read', category: 'financial', sensitivity: 'medium' },
  { name: 'financial:net_worth', category: 'financial', sensitivity: 'high' },
  { name: 'financial:bank_balance', category: 'financial', sensitivity: 'high' },
  { name: 'financial:credit_card_balance', category: 'financial', sensitivity: 'high' },
  { name: 'financial:loan_balance', category: 'financial', sensitivity: 'high' },
  { name: 'financial:investment_balance', category: 'financial', sensitivity: 'high' },
  { name: 'financial:retirement_balance', category: 'financial', sensitivity: 'high' },
  { name: 'financial:tradfi_balance', category: 'financial', sensitivity: 'high' },
  { name: 'financial:onchain_balance', category: 'financial', sensitivity: 'high' },
  { name: 'financial:total_liabilities', category: 'financial', sensitivity: 'high' },
  { name: 'financial:verified_income', category: 'financial', sensitivity: 'high' },
];

export const DEFAULT_CLAIMS: readonly CatalogueClaim[] = [
  { path: 'identity.service_uuid', type: 'string', scope: 'identity:read' },
  { path: 'identity.service_score', type: 'number', scope: 'identity:read' },
  { path: 'identity.is_human', type: 'boolean', scope: 'identity:read' },
  { path: 'identity.palm_verified', type: 'boolean', scope: 'identity:read' },
  { path: 'identity.country_of_residence', type: 'string', scope: 'identity:read' },
  {
    path: 'identity.residency_region',
    type: 'string',
    scope: 'identity:read',
    derivedFrom: 'identity.country_of_residence',
  },
  { path: 'identity.nationality', type: 'string', scope: 'identity:read' },
  { path: 'identity.email', type: 'string', scope: 'identity:read' },
  { path: 'identity.phone', type: 'string', scope: 'identity:read' },
  { path: 'identity.social_accounts', type: 'array', scope: 'identity:read' },
  { path: 'identity.wallet_addresses', type: 'array', scope: 'identity:read' },
  { path: 'identity.primary_wallet_address', type: 'string', scope: 'identity:read' },
  { path: 'identity.date_of_birth', type: 'date', scope: 'identity:date_of_birth' },
  {
    path: 'identity.age',
    type: 'integer',
    scope: 'identity:date_of_birth',
    derivedFrom: 'identity.date_of_birth',
  },
  {
    path: 'identity.age_over_18',
    type: 'boolean',
    scope: 'identity:date_of_birth',
    derivedFrom: 'identity.date_of_birth',
  },
  {
    path: 'identity.age_over_21',
    type: 'boolean',
    scope: 'identity:date_of_birth',
    derivedFrom: 'identity.date_of_birth',
  },
  { path: 'identity.legal_name', type: 'string', scope: 'identity:legal_name' },
  { path: 'identity.address_postal_code', type: 'string', scope: 'identity:address_postal_code' },
  { path: 'identity.address_full', type: 'object', scope: 'identity:address_full' },
  { path: 'kyc.passed', type: 'boolean', scope: 'kyc:read' },
  { path: 'kyc.level', type: 'enum', scope: 'kyc:read' },
  { path: 'kyc.last_updated_at', type: 'datetime', scope: 'kyc:read' },
  { path: 'kyc.sanctions_clear', type: 'boolean', scope: 'kyc:read' },
  { path: 'kyc.aml_screening_passed', type: 'boolean', scope: 'kyc:read' },
  { path: 'kyc.pep_status', type: 'boolean', scope: 'kyc:read' },
  { path: 'kyc.is_high_risk', type: 'boolean', scope: 'kyc:read' },
  { path: 'kyc.geo_blocked_region', type: 'boolean', scope: 'kyc:read' },
  { path: 'kyc.employment_status', type: 'enum', scope: 'kyc:read' },
  { path: 'kyc.document_type', type: 'string', scope: 'kyc:read' },
  { path: 'kyc.document_country', type: 'string', scope: 'kyc:read' },
  { path: 'kyc.document_expiry_date', type: 'date', scope: 'kyc:read' },
  { path: 'kyc.tax_residency', type: 'string', scope: 'kyc:tax_residency' },
  { path: 'kyc.document_number', type: 'string', scope: 'kyc:document_number' },
  { path: 'kyc.tax_id', type: 'string', scope: 'kyc:tax_id' },
  { path: 'financial.cex_balance', type: 'number', scope: 'financial:read' },
  { path: 'financial.trading_frequency_score', type: 'number', scope: 'financial:read' },
  { path: 'financial.net_worth', type: 'number', scope: 'financial:net_worth' },
  {
    path: 'financial.net_worth_above_10k',
    type: 'boolean',
    scope: 'financial:net_worth',
    derivedFrom: 'financial.net_worth',
  },
  {
    path: 'financial.net_worth_above_100k',
    type: 'boolean',
    scope: 'financial:net_worth',
    derivedFrom: 'financial.net_worth',
  },
  { path: 'financial.bank_balance', type: 'number', scope: 'financial:bank_balance' },
  { path: 'financial.credit_card_balance', type: 'number', scope: 'financial:credit_card_balance' },
  { path: 'financial.loan_balance', type: 'number', scope: 'financial:loan_balance' },
  { path: 'financial.investment_balance', type: 'number', scope: 'financial:investment_balance' },
  { path: 'financial.retirement_balance', type: 'number', scope: 'financial:retirement_balance' },
  { path: 'financial.tradfi_balance', type: 'number', scope: 'financial:tradfi_balance' },
  { path: 'financial.onchain_balance', type: 'number', scope: 'financial:onchain_balance' },
  { path: 'financial.total_liabilities', type: 'number', scope: 'financial:total_liabilities' },
  { path: 'financial.verified_income', type: 'number', scope: 'financial:verified_income' },
];

/** The scope definitions of a catalogue's scopes and claims: each scope covers the claims that name it. Never throws. */
export function toScopeDefinitions(
  scopes: readonly CatalogueScope[],
  claims: readonly CatalogueClaim[],
): readonly ScopeDefinition[] {
  return scopes.map(({ name, implies = [] }) => ({
    name,
    implies,
    covers: claims.filter(({ scope }) => scope === name).map(({ path }) => path),
  }));
}

/** The catalogue that `compile` uses where it is handed no other. */
export const defaultScopeCatalogue: ScopeCatalogue = /* @__PURE__ */ createScopeCatalogue(
  toScopeDefinitions(DEFAULT_SCOPES, DEFAULT_CLAIMS),
);
