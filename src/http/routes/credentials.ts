/**
 * `/credentials`: lists a person's credentials for the application that presents an access token; ingests and revokes credentials for the
 * administrator (S145–S147).
 */

import type { KeyBindingChallenge } from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { assertAdministrator, authenticateBearer } from '../callers.js';
import { malformed } from '../errors.js';
import { type Parameters, parseForm, readJsonBody } from '../parameters/body.js';
import { parseSelector } from '../parameters/person-selector.js';
import { toListRequest, validateParameters, validateRequest } from '../parameters/validate-request.js';
import { toCredentialBody, toPageBody } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

const OPTIONAL_INSTANTS = ['expiresAt', 'revokedAt'];

type Handler = Route['handle'];

export const credentials: Route = {
  operations: {
    GET: {
      id: 'listCredentials',
      summary:
        'List the person’s credentials, with the claims that the scopes cover. Requires the scope `data.read`.',
      caller: 'bearer',
      parameters: 'CredentialListParameters',
      responses: ['CredentialPage'],
      errors: ['insufficient_scope', 'cursor_invalid'],
    },
    POST: {
      id: 'ingestCredential',
      summary: 'Ingest a credential of a person.',
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
      summary: 'Revoke a credential, permanently.',
      caller: 'administrator',
      pathParameter: 'The id of a credential, as returned when it was ingested.',
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
  const parameters = validateParameters('CredentialListParameters', parseForm(context.target.query));
  return json(
    toPageBody(await context.service.credentials.list(toListRequest(parameters), grant), toCredentialBody),
  );
};

const ingest: Handler = async (context) => {
  await assertAdministrator(context);
  const parameters = await readJsonBody(context);
  assertNotEmpty(parameters);
  const {
    identifier,
    credential: content,
    format = 'json',
    subject,
    audience,
    nonce,
  } = validateRequest('IngestionRequest', parameters);
  const keyBinding = challengeOf(audience, nonce);
  const ingested = await context.service.credentials.ingest({
    person: parseSelector('identifier', identifier),
    format,
    credential: format === 'json' ? withoutNulls(content) : content,
    ...omitUndefined({ subject, keyBinding }),
  });
  return json(toCredentialBody(ingested));
};

/** Rejects an empty `subject`, `audience` or `nonce`. Other empty members count as absent; for these, that would skip a requested check. */
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

/** Removes optional members that are `null`, which count as absent in the format `json`. */
function withoutNulls(credential: unknown): unknown {
  if (typeof credential !== 'object' || credential === null || Array.isArray(credential)) return credential;
  const members = Object.entries(credential);
  return Object.fromEntries(
    members.filter(([name, value]) => value !== null || !OPTIONAL_INSTANTS.includes(name)),
  );
}
