/** Sample people of the sandbox, each for one scenario (V1). */

import type { Credential } from '../../engine/index.js';
import { formatInstant } from '../../engine/index.js';
import { MS_PER_DAY } from '../../util/time.js';
import type { Seed } from '../ports/store/store.js';

type SamplePerson = Seed['people'][number];
type Claims = Credential['claims'];

const CIVIL_REGISTRY = 'Civil Registry';
const VERIFY_NOW = 'Verify Now';
const SCREENLINE = 'Screenline';
const OPEN_BANKING = 'Open Banking Hub';
const CHAIN_LEDGER = 'Chain Ledger';
const PALM_ID = 'Palm ID';

/** Days before (`issued`, `revoked`) or after (`expires`) the day on which the store is filled, so that ages do not depend on that day. */
interface LifetimeInDays {
  readonly issued: number;
  readonly expires?: number;
  readonly revoked?: number;
}

/** @param seededAt - Epoch milliseconds. */
export function sandboxPeople(seededAt: number): readonly SamplePerson[] {
  const today = Math.floor(seededAt / MS_PER_DAY) * MS_PER_DAY;
  const at = (days: number) => today + days * MS_PER_DAY;
  const date = (days: number) => formatInstant(at(days)).slice(0, 10);
  const born = (years: number, days: number) => {
    const birth = new Date(at(days));
    return formatInstant(birth.setUTCFullYear(birth.getUTCFullYear() - years)).slice(0, 10);
  };
  const person = (
    name: string,
    about: string,
    credentials: readonly [string, string, LifetimeInDays, Claims][],
  ): SamplePerson => ({
    person: { id: `person-${name}`, name, about, ...contactOf(credentials.map(([, , , claims]) => claims)) },
    credentials: credentials.map(([id, source, life, claims]) => ({
      id: `${name}-${id}`,
      source,
      issuedAt: at(-life.issued),
      ...(life.expires === undefined ? {} : { expiresAt: at(life.expires) }),
      ...(life.revoked === undefined ? {} : { revokedAt: at(-life.revoked) }),
      claims,
    })),
  });

  return [
    person('ada', 'Everything is in order: start with her.', [
      [
        'registry',
        CIVIL_REGISTRY,
        { issued: 400, expires: 3_250 },
        {
          'identity.legal_name': 'Ada Ferreira Lopes',
          'identity.date_of_birth': born(34, -120),
          'identity.nationality': 'PT',
          'identity.country_of_residence': 'PT',
          'identity.address_postal_code': '1100-148',
          'identity.address_full': {
            street: 'Rua Augusta 100',
            locality: 'Lisboa',
            region: 'Lisboa',
            postal_code: '1100-148',
            country: 'PT',
          },
        },
      ],
      [
        'palm',
        PALM_ID,
        { issued: 60, expires: 305 },
        {
          'identity.service_uuid': '6f1c1c1e-3f43-4c0a-9c7e-0f3f3b9f7a01',
          'identity.service_score': 0.97,
          'identity.is_human': true,
          'identity.palm_verified': true,
        },
      ],
      [
        'contact',
        VERIFY_NOW,
        { issued: 90 },
        {
          'identity.email': 'ada@example.org',
          'identity.phone': '+351210000000',
          'identity.social_accounts': [
            { site: 'social.example', handle: 'adalopes', verified: true },
            { site: 'code.example', handle: 'ada-l', verified: false },
          ],
          'identity.wallet_addresses': [
            '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
            '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
          ],
          'identity.primary_wallet_address': '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        },
      ],
      [
        'kyc',
        VERIFY_NOW,
        { issued: 45, expires: 320 },
        {
          'kyc.passed': true,
          'kyc.level': 'enhanced',
          'kyc.last_updated_at': formatInstant(at(-45)),
          'kyc.employment_status': 'employed',
          'kyc.document_type': 'passport',
          'kyc.document_country': 'PT',
          'kyc.document_number': 'CA123456',
          'kyc.document_expiry_date': date(3_250),
          'kyc.tax_residency': 'PT',
          'kyc.tax_id': '123456789',
        },
      ],
      ['screening', SCREENLINE, { issued: 10, expires: 80 }, cleared()],
      [
        'banking',
        OPEN_BANKING,
        { issued: 3, expires: 27 },
        {
          'financial.bank_balance': 18_250.4,
          'financial.credit_card_balance': 420,
          'financial.loan_balance': 0,
          'financial.investment_balance': 61_000,
          'financial.retirement_balance': 34_500,
          'financial.tradfi_balance': 79_250.4,
          'financial.total_liabilities': 420,
          'financial.verified_income': 58_000,
          'financial.net_worth': 126_330.4,
        },
      ],
      [
        'ledger',
        CHAIN_LEDGER,
        { issued: 1, expires: 6 },
        {
          'financial.onchain_balance': 13_000,
          'financial.cex_balance': 1_250.5,
          'financial.trading_frequency_score': 0.41,
        },
      ],
    ]),
    person('bruno', 'Seventeen: fails checks for adults.', [
      [
        'registry',
        CIVIL_REGISTRY,
        { issued: 200, expires: 1_600 },
        {
          'identity.legal_name': 'Bruno Keller',
          'identity.date_of_birth': born(17, -40),
          'identity.nationality': 'DE',
          'identity.country_of_residence': 'DE',
        },
      ],
      [
        'contact',
        VERIFY_NOW,
        { issued: 30 },
        { 'identity.email': 'bruno@example.com', 'identity.is_human': true },
      ],
      [
        'kyc',
        VERIFY_NOW,
        { issued: 29, expires: 336 },
        {
          'kyc.passed': true,
          'kyc.level': 'basic',
          'kyc.employment_status': 'student',
          'kyc.document_country': 'DE',
        },
      ],
      [
        'banking',
        OPEN_BANKING,
        { issued: 5, expires: 25 },
        { 'financial.bank_balance': 310, 'financial.net_worth': 310 },
      ],
    ]),
    person('chiyo', 'Her identity check has expired, and there is no newer one.', [
      [
        'registry',
        CIVIL_REGISTRY,
        { issued: 900, expires: 900 },
        {
          'identity.date_of_birth': born(58, -10),
          'identity.nationality': 'JP',
          'identity.country_of_residence': 'JP',
        },
      ],
      [
        'kyc-old',
        VERIFY_NOW,
        { issued: 400, expires: -35 },
        { 'kyc.passed': true, 'kyc.level': 'enhanced', 'kyc.last_updated_at': formatInstant(at(-400)) },
      ],
      [
        'banking',
        OPEN_BANKING,
        { issued: 2, expires: 28 },
        { 'financial.net_worth': 84_000, 'financial.bank_balance': 12_000 },
      ],
    ]),
    person('dmitri', 'Screening found something: high risk, and not cleared.', [
      [
        'registry',
        CIVIL_REGISTRY,
        { issued: 300, expires: 2_000 },
        {
          'identity.date_of_birth': born(45, -200),
          'identity.nationality': 'CY',
          'identity.country_of_residence': 'CY',
        },
      ],
      ['kyc', VERIFY_NOW, { issued: 50, expires: 300 }, { 'kyc.passed': true, 'kyc.level': 'basic' }],
      [
        'screening',
        SCREENLINE,
        { issued: 4, expires: 86 },
        {
          'kyc.sanctions_clear': false,
          'kyc.aml_screening_passed': false,
          'kyc.pep_status': true,
          'kyc.is_high_risk': true,
          'kyc.geo_blocked_region': false,
        },
      ],
      [
        'ledger',
        CHAIN_LEDGER,
        { issued: 1, expires: 6 },
        { 'financial.onchain_balance': 2_400_000, 'financial.net_worth': 2_900_000 },
      ],
    ]),
    person('emeka', 'His newest identity check was revoked, so the older one with a lower level applies.', [
      [
        'registry',
        CIVIL_REGISTRY,
        { issued: 500, expires: 1_500 },
        {
          'identity.date_of_birth': born(29, -300),
          'identity.nationality': 'NG',
          'identity.country_of_residence': 'GB',
        },
      ],
      ['kyc-basic', VERIFY_NOW, { issued: 200, expires: 165 }, { 'kyc.passed': true, 'kyc.level': 'basic' }],
      [
        'kyc-enhanced',
        SCREENLINE,
        { issued: 20, expires: 345, revoked: 5 },
        { 'kyc.passed': true, 'kyc.level': 'enhanced' },
      ],
      ['ledger', CHAIN_LEDGER, { issued: 1, expires: 6 }, { 'financial.cex_balance': 950 }],
    ]),
    person('fatima', 'Wealthy and screened: passes checks for accredited investors.', [
      [
        'registry',
        CIVIL_REGISTRY,
        { issued: 800, expires: 2_800 },
        {
          'identity.date_of_birth': born(51, -77),
          'identity.nationality': 'AE',
          'identity.country_of_residence': 'AE',
        },
      ],
      [
        'kyc',
        VERIFY_NOW,
        { issued: 15, expires: 350 },
        { 'kyc.passed': true, 'kyc.level': 'enhanced', 'kyc.employment_status': 'self_employed' },
      ],
      ['screening', SCREENLINE, { issued: 15, expires: 75 }, cleared()],
      [
        'banking',
        OPEN_BANKING,
        { issued: 7, expires: 23 },
        { 'financial.net_worth': 3_400_000, 'financial.verified_income': 410_000 },
      ],
    ]),
    person('grace', 'Verified by palm and e-mail address only: no document, no identity check, no money.', [
      [
        'palm',
        PALM_ID,
        { issued: 12, expires: 353 },
        { 'identity.is_human': true, 'identity.palm_verified': true, 'identity.service_score': 0.64 },
      ],
      ['contact', VERIFY_NOW, { issued: 12 }, { 'identity.email': 'grace@example.net' }],
    ]),
    person(
      'hugo',
      'His sources disagree: the credential issued last takes precedence; of two issued together, the one with the smaller id.',
      [
        [
          'registry',
          CIVIL_REGISTRY,
          { issued: 700, expires: 2_200 },
          {
            'identity.date_of_birth': born(40, -365),
            'identity.country_of_residence': 'ES',
            'identity.nationality': 'ES',
          },
        ],
        ['address', VERIFY_NOW, { issued: 25, expires: 340 }, { 'identity.country_of_residence': 'MX' }],
        ['kyc-a', VERIFY_NOW, { issued: 60, expires: 300 }, { 'kyc.passed': true, 'kyc.level': 'basic' }],
        ['kyc-b', SCREENLINE, { issued: 60, expires: 300 }, { 'kyc.passed': true, 'kyc.level': 'enhanced' }],
        ['banking-old', OPEN_BANKING, { issued: 40, expires: 10 }, { 'financial.bank_balance': 9_000 }],
        ['banking-new', OPEN_BANKING, { issued: 2, expires: 28 }, { 'financial.bank_balance': 150 }],
      ],
    ),
    person('ines', 'Unusual but valid values: a null, an empty list, letters beyond ASCII.', [
      [
        'contact',
        VERIFY_NOW,
        { issued: 33 },
        {
          'identity.legal_name': 'Inês Ågren-Šarić 🌍',
          'identity.phone': null,
          'identity.social_accounts': [],
          'identity.email': 'ines+test@example.org',
          'identity.country_of_residence': 'SE',
        },
      ],
      ['kyc', SCREENLINE, { issued: 33, expires: 332 }, { 'kyc.level': 'none', 'kyc.passed': false }],
      [
        'ledger',
        CHAIN_LEDGER,
        { issued: 1, expires: 6 },
        { 'financial.net_worth': 0, 'financial.trading_frequency_score': 0 },
      ],
    ]),
    person('jun', 'All of her claims expire by the end of tomorrow, and results about her with them.', [
      [
        'registry',
        CIVIL_REGISTRY,
        { issued: 364, expires: 2 },
        {
          'identity.date_of_birth': born(18, 0),
          'identity.nationality': 'KR',
          'identity.country_of_residence': 'KR',
        },
      ],
      ['kyc', VERIFY_NOW, { issued: 364, expires: 2 }, { 'kyc.passed': true, 'kyc.level': 'basic' }],
      ['banking', OPEN_BANKING, { issued: 29, expires: 1 }, { 'financial.net_worth': 10_000 }],
    ]),
  ];
}

/** Returns the attested e-mail and wallet address, by which `client/user-token` finds a person. */
function contactOf(claims: readonly Claims[]): Pick<SamplePerson['person'], 'email' | 'evmAddress'> {
  const attested: Claims = Object.assign({}, ...claims);
  const [email, wallet] = [attested['identity.email'], attested['identity.primary_wallet_address']];
  return {
    ...(typeof email === 'string' ? { email } : {}),
    ...(typeof wallet === 'string' ? { evmAddress: wallet.toLowerCase() } : {}),
  };
}

function cleared(): Claims {
  return {
    'kyc.sanctions_clear': true,
    'kyc.aml_screening_passed': true,
    'kyc.pep_status': false,
    'kyc.is_high_risk': false,
    'kyc.geo_blocked_region': false,
  };
}
