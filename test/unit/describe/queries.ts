/** The queries of the examples: each operator, combinator and lens, and the messages of the default catalogue. */

/** Queries with a name each, in the order of the examples. */
export const QUERIES: Readonly<Record<string, unknown>> = {
  adult: check('identity.age', '>=', 18),
  'adult in some countries': all(
    check('identity.age', '>=', 18),
    check('identity.country_of_residence', 'in', ['PT', 'ES', 'FR']),
  ),
  'one year old': check('identity.age', '<=', 1),
  'older than two': check('identity.age', '>', 2),
  'younger than three': check('identity.age', '<', 3),
  'age as a text': check('identity.age', '==', '18'),
  'age of one of several': check('identity.age', 'in', [18, 21]),
  'age over 18': check('identity.age_over_18', '==', true),
  'age not over 21': check('identity.age_over_21', '!=', true),
  'not a resident': check('identity.country_of_residence', '!=', 'US'),
  'not a resident, or unknown': not(check('identity.country_of_residence', '==', 'NL')),
  national: check('identity.nationality', '==', 'PT'),
  'no national of several': check('identity.nationality', 'notIn', ['KP', 'IR']),
  'no known country': check('identity.nationality', '==', 'UK'),
  'born before': check('identity.date_of_birth', '<', '2008-03-01'),
  'born on or after': check('identity.date_of_birth', '>=', '1990-12-31'),
  'valid document': check('kyc.document_expiry_date', '>', '2026-12-31'),
  'document valid up to': check('kyc.document_expiry_date', '<=', '2030-06-15'),
  'recent check': check('kyc.last_updated_at', '>=', '2026-01-31T10:30:00Z'),
  'check at a fraction of a second': check('kyc.last_updated_at', '<', '2026-01-31T10:30:00.250Z'),
  'identity check passed': check('kyc.passed', '==', true),
  'no high risk': not(check('kyc.is_high_risk', '==', true)),
  'level among several': check('kyc.level', 'in', ['basic', 'enhanced']),
  'net worth': check('financial.net_worth', '>=', 10_000.5),
  'net worth above a bound': check('financial.net_worth_above_10k', '==', true),
  'income below': check('financial.verified_income', '<', 1),
  'e-mail address verified': check('identity.email', 'isDefined'),
  'no phone number': not(check('identity.phone', 'isDefined')),
  'e-mail address by pattern': check('identity.email', 'matchRegex', '^[\\w.]+@example\\.org$'),
  'e-mail address by no pattern': not(check('identity.email', 'matchRegex', '@example\\.com$')),
  'postal code by prefix': check('identity.address_postal_code', 'startsWith', '11'),
  'postal code by no prefix': not(check('identity.address_postal_code', 'startsWith', '99')),
  'wallet among several': check('identity.wallet_addresses', 'contains', '0xab'),
  'wallet not among several': not(check('identity.wallet_addresses', 'contains', { 'a"b': [1, null] })),
  'member of an address': check('identity.address_full.country', '==', 'PT'),
  'claim of no catalogue': all(
    check('club.level', 'in', []),
    check('shop.level', 'notIn', [null, true, 'a”b', 1e-7]),
  ),
  either: any(
    check('kyc.passed', '==', true),
    check('identity.age', '>=', 21),
    check('kyc.pep_status', '==', false),
  ),
  nested: all(
    check('identity.is_human', '==', true),
    any(
      check('kyc.employment_status', '==', 'self_employed'),
      not(all(check('identity.age', '<', 65), check('kyc.sanctions_clear', '==', true))),
    ),
    not(any(check('kyc.tax_residency', '==', 'CH'), check('financial.loan_balance', '>', 5_000))),
  ),
  'one value': projections({ claim: 'identity.nationality', lens: 'pluck' }),
  'several values': projections(
    { claim: 'identity.age', lens: 'pluck' },
    { claim: 'identity.address_full', lens: 'pick', fields: ['locality', 'country'] },
    { claim: 'identity.social_accounts', lens: 'pick' },
    { claim: 'identity.wallet_addresses', lens: 'at', index: 0 },
  ),
  'one field': projections({ claim: 'identity.address_full', lens: 'pick', fields: ['country'] }),
  'third element': projections({ claim: 'identity.wallet_addresses', lens: 'at', index: 2 }),
  'last element': projections({ claim: 'identity.wallet_addresses', lens: 'at', index: -1 }),
  'second to last element': projections({ claim: 'identity.wallet_addresses', lens: 'at', index: -2 }),
};

function check(claim: string, operator: string, value?: unknown): object {
  return { check: { claim, operator, ...(value === undefined ? {} : { value }) } };
}

function all(...items: readonly object[]): object {
  return { policy: { allOf: items } };
}

function any(...items: readonly object[]): object {
  return { policy: { anyOf: items } };
}

function not(item: object): object {
  return { policy: { not: item } };
}

function projections(...items: readonly object[]): object {
  return { projections: items };
}
