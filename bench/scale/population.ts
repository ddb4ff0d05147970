/** The people of a filled store: everything about a person follows from a number, so that a load generator knows ids and tokens without reading the store. */
import { createHash } from 'node:crypto';
import { createPairwiseIdentifiers } from '../../src/service/claims/organization-view.js';
import { systemDigest } from '../../src/system/node-ports.js';

/** The deployment's key, from which pairwise identifiers are derived. */
export const DEPLOYMENT_KEY = createHash('sha256').update('the key of this benchmark').digest('base64url');
const APPLICATIONS = 1_000;
/** The application that holds half of all grants. */
export const LARGE_APPLICATION = 0;
/** An application whose number of grants is the same in every store. */
export const SMALL_APPLICATION = 1_000;
const GRANTS_OF_SMALL_APPLICATION = 50;
const PENDING_REQUESTS = 10_000;
export const SECRET = 'the-secret-of-every-application-in-this-benchmark';
export const REDIRECT_URI = 'https://app.example/callback';
const SCOPES = [
  'openid',
  'data.read',
  'identity:read',
  'identity:date_of_birth',
  'kyc:read',
  'financial:read',
  'financial:total_liabilities',
];
/** Credentials per person: between 3 and 10, 5.2 on average. */
const CREDENTIAL_COUNTS = [3, 3, 4, 4, 4, 5, 5, 6, 8, 10];
const MS_PER_DAY = 86_400_000;
const LIFETIME_MS = 30 * MS_PER_DAY;

// The service derives the key in the same way.
const identifiers = createPairwiseIdentifiers(
  systemDigest,
  systemDigest.hmacSha256(DEPLOYMENT_KEY, 'pairwise-key'),
);

/** A row of a table. When a store is filled, columns that its schema does not have are omitted. */
export interface PopulationRow {
  readonly table: string;
  readonly values: Readonly<Record<string, string | number | null>>;
}

/** The SHA-256 of a token, as the service stores it. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Returns an id of the length of the service's ids. */
function id(text: string): string {
  return hash(text).slice(0, 22);
}

export const personId = (person: number) => id(`person ${person}`);
export const personName = (person: number) => `person-${person}`;
export const email = (person: number) => `p${person}@people.example`;
export const wallet = (person: number) => `0x${person.toString(16).padStart(40, '0')}`;
export const accessToken = (person: number) => hash(`access ${person}`);
export const clientId = (application: number) => `app-${application}`;
const organizationId = (application: number) => `org-${application}`;

/** The application to which a person made a grant. */
export function applicationOf(person: number): number {
  return person % 2 === 0 ? LARGE_APPLICATION : 1 + ((person >> 1) % (APPLICATIONS - 1));
}

/** The pairwise identifier by which an application knows a person. */
export function subject(application: number, person: number): string {
  return identifiers.subject(organizationId(application), personId(person));
}

/** Yields the rows of a store with some number of people. */
export function* populate(people: number, now: number): Iterable<PopulationRow> {
  for (let application = 0; application <= APPLICATIONS; application += 1)
    yield* applicationRows(application, now);
  for (let person = 0; person < people; person += 1) yield* personRows(person, now);
  for (let person = 0; person < Math.min(people, GRANTS_OF_SMALL_APPLICATION); person += 1)
    yield grantRow(`small grant ${person}`, SMALL_APPLICATION, person, now);
  for (let request = 0; request < PENDING_REQUESTS; request += 1) yield requestRow(request, now);
}

function* applicationRows(application: number, now: number): Iterable<PopulationRow> {
  yield {
    table: 'application',
    values: {
      client_id: clientId(application),
      name: `Application ${application}`,
      organization_id: organizationId(application),
      redirect_uris: JSON.stringify([REDIRECT_URI]),
      scopes: JSON.stringify(SCOPES),
      secret_hash: hash(SECRET),
      id_token_algorithm: 'ES256',
      created_at: now,
    },
  };
  yield {
    table: 'application_origin',
    values: { origin: new URL(REDIRECT_URI).origin, client_id: clientId(application) },
  };
}

function* personRows(person: number, now: number): Iterable<PopulationRow> {
  const application = applicationOf(person);
  yield {
    table: 'person',
    values: {
      id: personId(person),
      name: personName(person),
      about: '',
      email: email(person),
      evm_address: wallet(person),
    },
  };
  const count = CREDENTIAL_COUNTS[person % CREDENTIAL_COUNTS.length] ?? 0;
  for (let index = 0; index < count; index += 1) yield credentialRow(person, index, now);
  yield grantRow(`grant ${person}`, application, person, now);
  const grant = id(`grant ${person}`);
  const token = { authorization_id: grant, issued_at: now, expires_at: now + LIFETIME_MS };
  const family = id(`family ${person}`);
  yield {
    table: 'access_token',
    values: {
      ...token,
      token_hash: hash(accessToken(person)),
      family_id: family,
      scopes: JSON.stringify(SCOPES),
    },
  };
  yield {
    table: 'refresh_token',
    values: { ...token, token_hash: hash(hash(`refresh ${person}`)), family_id: family, generation: 0 },
  };
  yield {
    table: 'audit_entry',
    values: {
      at: now - LIFETIME_MS + person,
      kind: 'token_issued',
      client_id: clientId(application),
      person_id: personId(person),
      authorization_id: grant,
      scopes: JSON.stringify(SCOPES),
      about: 'code',
    },
  };
}

function grantRow(name: string, application: number, person: number, now: number): PopulationRow {
  const index = identifiers.index(organizationId(application), subject(application, person));
  // The grants of an application change at distinct instants, in an order unrelated to that of their ids.
  const at = now - LIFETIME_MS + person;
  return {
    table: 'authorization_record',
    values: {
      id: id(name),
      client_id: clientId(application),
      person_id: personId(person),
      status: 'consumed',
      redirect_uri: REDIRECT_URI,
      requested_scopes: JSON.stringify(SCOPES),
      granted_scopes: JSON.stringify(SCOPES),
      created_at: at,
      request_expires_at: at,
      updated_at: at,
      approved_at: at,
      last_token_issued_at: at,
      subject_sector: index.sector,
      subject_hash: index.hash,
    },
  };
}

function requestRow(request: number, now: number): PopulationRow {
  return {
    table: 'authorization_record',
    values: {
      id: id(`request ${request}`),
      client_id: clientId(request % APPLICATIONS),
      status: 'pending_admin',
      redirect_uri: REDIRECT_URI,
      requested_scopes: JSON.stringify(SCOPES),
      created_at: now,
      request_expires_at: now + MS_PER_DAY,
      updated_at: now,
    },
  };
}

/** The first three credentials have the claims that the benchmark's queries read. */
function credentialRow(person: number, index: number, now: number): PopulationRow {
  return {
    table: 'credential',
    values: {
      id: id(`credential ${person} ${index}`),
      person_id: personId(person),
      source: `Issuer ${index}`,
      issued_at: now - (index + 1) * MS_PER_DAY,
      expires_at: now + (100 + index) * MS_PER_DAY,
      claims: JSON.stringify(claimsOf(person, index)),
      updated_at: now - (index + 1) * MS_PER_DAY,
    },
  };
}

const COUNTRIES = ['PT', 'DE', 'FR', 'ES', 'IT', 'NL', 'PL', 'SE', 'US', 'BR'];
const LEVELS = ['basic', 'enhanced', 'full'];

function claimsOf(person: number, index: number): Readonly<Record<string, unknown>> {
  switch (index) {
    case 0:
      return {
        'identity.email': email(person),
        'identity.primary_wallet_address': wallet(person),
        'identity.date_of_birth': `${1940 + (person % 70)}-0${1 + (person % 9)}-1${person % 10}`,
        'identity.country_of_residence': COUNTRIES[person % COUNTRIES.length],
        'identity.nationality': COUNTRIES[person % 7],
        'identity.phone': `+351${String(person).padStart(9, '0')}`,
        'identity.service_score': person % 101,
      };
    case 1:
      return {
        'kyc.passed': person % 3 !== 0,
        'kyc.level': LEVELS[person % LEVELS.length],
        'kyc.document_type': person % 5 === 0 ? 'driving_licence' : 'passport',
        'kyc.sanctions_clear': true,
        'kyc.employment_status': 'employed',
      };
    case 2:
      return {
        'financial.net_worth': (person % 997) * 1_000,
        'financial.total_liabilities': (person % 199) * 1_000,
        'financial.bank_balance': (person % 89) * 1_000,
      };
    default:
      return {
        'identity.address_full': { street: `Street ${person}, flat ${index}` },
        'kyc.tax_residency': 'PT',
      };
  }
}
