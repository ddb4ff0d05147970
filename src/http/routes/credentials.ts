/** `/credentials`: a person's own, for a bearer who may see them; the administrator takes them in and revokes them (S145–S147). */

import {
  isEvmAddress,
  type KeyBindingChallenge,
  type PersonSelector,
  parseIdentifier,
} from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { assertAdministrator, authenticateBearer } from '../callers.js';
import { malformed } from '../errors.js';
import { type Parameters, parseForm, readJsonBody } from '../parameters/body.js';
import { toListRequest, validateParameters, validateRequest } from '../parameters/validate-request.js';
import { toCredentialBody, toPageBody } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

const OPTIONAL_INSTANTS = ['expiresAt', 'revokedAt'];

type Handler = Route['handle'];

export const credentials: Route = {
  operations: {
    GET: {
      id: 'listCredentials',
      summary: 'The person’s own credentials, with the claims that the scopes cover; needs `data.read`.',
      caller: 'bearer',
      parameters: 'CredentialListParameters',
      responses: ['CredentialPage'],
      errors: ['insufficient_scope', 'cursor_invalid'],
    },
    POST: {
      id: 'ingestCredential',
      summary: 'Take in what an issuer attested of a person.',
      caller: 'administrator',
      body: { schema: 'IngestionRequest', form: false },
      responses: ['Credential'],
      errors: ['not_found'],
    },
  },
  path: `${BASE_PATH}/credentials`,
  crossOrigin: 'none',
  handle: (context) => (context.request.method === 'POST' ? ingest : list)(context),
};

export const credential: Route = {
  operations: {
    DELETE: {
      id: 'revokeCredential',
      summary: 'Revoke a credential, for good.',
      caller: 'administrator',
      pathParameter: 'The id of a credential, as the answer to its ingestion stated it.',
      responses: ['Credential'],
      errors: ['not_found'],
    },
  },
  path: `${BASE_PATH}/credentials/{id}`,
  crossOrigin: 'none',
  handle: async (context) => {
    await assertAdministrator(context);
    return json(toCredentialBody(await context.service.credentials.revoke(context.pathParameter)));
  },
};

const list: Handler = async (context) => {
  const grant = await authenticateBearer(context);
  const asked = validateParameters('CredentialListParameters', parseForm(context.target.query));
  return json(
    toPageBody(await context.service.credentials.list(toListRequest(asked), grant), toCredentialBody),
  );
};

const ingest: Handler = async (context) => {
  await assertAdministrator(context);
  const parameters = await readJsonBody(context);
  assertNotEmpty(parameters);
  const {
    identifier,
    credential: given,
    format = 'json',
    subject,
    audience,
    nonce,
  } = validateRequest('IngestionRequest', parameters);
  const keyBinding = challengeOf(audience, nonce);
  const ingested = await context.service.credentials.ingest({
    person: selectorOf(identifier),
    format,
    credential: format === 'json' ? withoutNulls(given) : given,
    ...omitUndefined({ subject, keyBinding }),
  });
  return json(toCredentialBody(ingested));
};

/** Elsewhere an empty member counts as absent; here that would drop a check which the caller asked for. */
function assertNotEmpty(parameters: Parameters): void {
  for (const name of ['subject', 'audience', 'nonce']) {
    if (parameters.get(name) !== '') continue;
    throw malformed(`/${name}`, 'not_a_string', `\`${name}\` must not be empty.`);
  }
}

function challengeOf(
  audience: string | undefined,
  nonce: string | undefined,
): KeyBindingChallenge | undefined {
  if (audience !== undefined && nonce !== undefined) return { audience, nonce };
  if (audience === undefined && nonce === undefined) return undefined;
  throw malformed('', 'member_missing', '`audience` and `nonce` must be present together.');
}

/** Optional members of our own JSON that are `null` count as absent (contract). */
function withoutNulls(credential: unknown): unknown {
  if (typeof credential !== 'object' || credential === null || Array.isArray(credential)) return credential;
  const members = Object.entries(credential);
  return Object.fromEntries(
    members.filter(([name, value]) => value !== null || !OPTIONAL_INSTANTS.includes(name)),
  );
}

function selectorOf(identifier: string): PersonSelector {
  const selector = parseIdentifier(identifier);
  if (selector === undefined || (selector.by === 'evm_address' && !isEvmAddress(selector.value))) {
    const message = 'An identifier is `type|value`, and an address is `0x` and 40 hexadecimal digits.';
    throw malformed('/identifier', 'selector', message);
  }
  return selector;
}
