/** The scopes of the default catalogue and the claims that they cover, which is all of the catalogue that evaluation requires. */
import { createScopeCatalogue, type ScopeCatalogue, type ScopeDefinition } from './catalogue.js';

/** In the order in which consent pages list them. */
export const DEFAULT_SCOPE_DEFINITIONS = [
  { name: 'openid' },
  { name: 'profile.full', implies: ['openid', 'identity:read', 'kyc:read', 'financial:read'] },
  { name: 'data.read' },
  {
    name: 'identity:read',
    covers: [
      'identity.service_uuid',
      'identity.service_score',
      'identity.is_human',
      'identity.palm_verified',
      'identity.country_of_residence',
      'identity.residency_region',
      'identity.nationality',
      'identity.email',
      'identity.phone',
      'identity.social_accounts',
      'identity.wallet_addresses',
      'identity.primary_wallet_address',
    ],
  },
  {
    name: 'identity:date_of_birth',
    covers: ['identity.date_of_birth', 'identity.age', 'identity.age_over_18', 'identity.age_over_21'],
  },
  { name: 'identity:legal_name', covers: ['identity.legal_name'] },
  { name: 'identity:address_postal_code', covers: ['identity.address_postal_code'] },
  { name: 'identity:address_full', covers: ['identity.address_full'] },
  // The standard scopes of OpenID Connect Core §5.4, as far as the catalogue has their claims.
  { name: 'profile', implies: ['identity:legal_name', 'identity:date_of_birth'] },
  { name: 'email', covers: ['identity.email'] },
  { name: 'phone', covers: ['identity.phone'] },
  { name: 'address', implies: ['identity:address_full'] },
  {
    name: 'kyc:read',
    covers: [
      'kyc.passed',
      'kyc.level',
      'kyc.last_updated_at',
      'kyc.sanctions_clear',
      'kyc.aml_screening_passed',
      'kyc.pep_status',
      'kyc.is_high_risk',
      'kyc.geo_blocked_region',
      'kyc.employment_status',
      'kyc.document_type',
      'kyc.document_country',
      'kyc.document_expiry_date',
    ],
  },
  { name: 'kyc:tax_residency', covers: ['kyc.tax_residency'] },
  { name: 'kyc:document_number', covers: ['kyc.document_number'] },
  { name: 'kyc:tax_id', covers: ['kyc.tax_id'] },
  { name: 'financial:read', covers: ['financial.cex_balance', 'financial.trading_frequency_score'] },
  {
    name: 'financial:net_worth',
    covers: ['financial.net_worth', 'financial.net_worth_above_10k', 'financial.net_worth_above_100k'],
  },
  { name: 'financial:bank_balance', covers: ['financial.bank_balance'] },
  { name: 'financial:credit_card_balance', covers: ['financial.credit_card_balance'] },
  { name: 'financial:loan_balance', covers: ['financial.loan_balance'] },
  { name: 'financial:investment_balance', covers: ['financial.investment_balance'] },
  { name: 'financial:retirement_balance', covers: ['financial.retirement_balance'] },
  { name: 'financial:tradfi_balance', covers: ['financial.tradfi_balance'] },
  { name: 'financial:onchain_balance', covers: ['financial.onchain_balance'] },
  { name: 'financial:total_liabilities', covers: ['financial.total_liabilities'] },
  { name: 'financial:verified_income', covers: ['financial.verified_income'] },
] as const satisfies readonly ScopeDefinition[];

/** The default catalogue of `compile`. */
export const defaultScopeCatalogue: ScopeCatalogue =
  /* @__PURE__ */ createScopeCatalogue(DEFAULT_SCOPE_DEFINITIONS);
