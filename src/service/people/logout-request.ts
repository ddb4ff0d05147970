/** Logout requests of applications (OpenID Connect RP-Initiated Logout 1.0). */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { readIdTokenHint } from '../tokens/id-token.js';
import type { Session } from './sessions.js';

/** The parameters of the request, each at most once; those without a value are absent. */
export type LogoutParameters = ReadonlyMap<string, string>;

/** A validated request. */
export interface LogoutRequest {
  /** The application identified by a valid `id_token_hint` or by `client_id`; absent if neither identifies one. */
  readonly application?: Application;
  /** Where the browser is redirected after the sign-out; absent without a redirect. */
  readonly destination?: LogoutDestination;
  /** Whether the hint identifies the person of the session, so that no confirmation is needed. */
  readonly isConfirmed: boolean;
}

export interface LogoutDestination {
  /** A registered post-logout redirect URI. */
  readonly redirectUri: string;
  readonly state?: string;
}

/** Creates the use case of logout requests. */
export function createLogout(context: ServiceContext) {
  return {
    /**
     * Validates a logout request. `logout_hint` is ignored, and `ui_locales` only affects the pages.
     *
     * An invalid hint identifies no application. The person may then still confirm the sign-out, but the browser is not redirected (§4).
     *
     * @param session - The session at the browser; absent without one.
     * @throws {ServiceError} `malformed_body` if `client_id` is not the `aud` of the hint; `invalid_client` if the client is unknown or revoked;
     *   `post_logout_redirect_uri_mismatch` if the URI is not registered.
     */
    async checkLogoutRequest(
      parameters: LogoutParameters,
      session: Pick<Session, 'userId'> | undefined,
    ): Promise<LogoutRequest> {
      const [text, clientId] = [parameters.get('id_token_hint'), parameters.get('client_id')];
      const hint = text === undefined ? undefined : await readIdTokenHint(text, context);
      if (hint !== undefined && clientId !== undefined && clientId !== hint.application.clientId) {
        const description = 'client_id must be the aud of id_token_hint';
        throw new ServiceError('malformed_body', {}, { description });
      }
      const application =
        hint?.application ??
        (clientId === undefined ? undefined : await registeredApplication(clientId, context));
      if (application === undefined) return { isConfirmed: false };
      const destination = destinationOf(parameters, application, context);
      const mayRedirect = text === undefined || hint !== undefined;
      return {
        application,
        ...(destination === undefined || !mayRedirect ? {} : { destination }),
        isConfirmed: hint !== undefined && isSubjectOfSession(hint.subject, application, session, context),
      };
    },
  };
}

async function registeredApplication(clientId: string, { store }: ServiceContext): Promise<Application> {
  const application = await store.findApplication(clientId);
  if (application === undefined || application.revokedAt !== undefined)
    throw new ServiceError('invalid_client');
  return application;
}

/** Compares exactly, ports of loopback URIs included, unlike in authorization requests (§3). */
function destinationOf(
  parameters: LogoutParameters,
  { postLogoutRedirectUris: registered = [] }: Application,
  { environment }: ServiceContext,
): LogoutDestination | undefined {
  const received = parameters.get('post_logout_redirect_uri');
  if (received === undefined) return undefined;
  if (!registered.includes(received)) {
    // Registered URIs are confidential; only the sandbox, run by a developer, shows them.
    const shown = environment.seeded ? { received, registered } : {};
    throw new ServiceError('post_logout_redirect_uri_mismatch', shown);
  }
  const state = parameters.get('state');
  return { redirectUri: received, ...omitUndefined({ state }) };
}

function isSubjectOfSession(
  subject: string,
  { organizationId }: Application,
  session: Pick<Session, 'userId'> | undefined,
  { identifiers }: ServiceContext,
): boolean {
  return session !== undefined && identifiers.subject(organizationId, session.userId) === subject;
}
