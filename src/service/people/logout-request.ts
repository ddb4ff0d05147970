/** Requests of applications to sign a person out: what is checked, and where the browser goes (OpenID Connect RP-Initiated Logout 1.0). */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { readIdTokenHint } from '../tokens/id-token.js';
import type { Session } from './sessions.js';

/** The parameters of the request, each at most once; those without a value are absent. */
export type LogoutParameters = ReadonlyMap<string, string>;

/** A checked request. */
export interface LogoutRequest {
  /** The application that `id_token_hint` or `client_id` names; absent where neither does. */
  readonly application?: Application;
  /** Where the browser goes after the sign-out; absent where it stays. */
  readonly destination?: LogoutDestination;
  /** Whether the hint shows that the application knows the person of the session, so that the person need not confirm. */
  readonly isConfirmed: boolean;
}

export interface LogoutDestination {
  /** One that the application has registered. */
  readonly redirectUri: string;
  readonly state?: string;
}

/** Requests to sign a person out. */
export function createLogout(context: ServiceContext) {
  return {
    /**
     * Checks a request to sign a person out. `logout_hint` and `ui_locales` are ignored.
     *
     * A hint that does not verify names no application. The request may then still sign the person out, once they confirm; the browser is sent
     * nowhere (§4).
     *
     * @param session - Of the person who is signed in at the browser; absent where nobody is.
     * @throws {ServiceError} `malformed_body` where `client_id` is not the `aud` of the hint; `invalid_client` where it is unknown or revoked;
     *   `post_logout_redirect_uri_mismatch` where the application has not registered the URI.
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
        isConfirmed: hint !== undefined && isAbout(hint.subject, application, session, context),
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

/** Compares exactly: unlike those of a native application's requests, ports on loopback count (§3). */
function destinationOf(
  parameters: LogoutParameters,
  { postLogoutRedirectUris: registered = [] }: Application,
  { environment }: ServiceContext,
): LogoutDestination | undefined {
  const received = parameters.get('post_logout_redirect_uri');
  if (received === undefined) return undefined;
  if (!registered.includes(received)) {
    // Which URIs an application has registered is its own business: only the sandbox, which a developer runs, shows them.
    const shown = environment.seeded ? { received, registered } : {};
    throw new ServiceError('post_logout_redirect_uri_mismatch', shown);
  }
  const state = parameters.get('state');
  return { redirectUri: received, ...omitUndefined({ state }) };
}

function isAbout(
  subject: string,
  { organizationId }: Application,
  session: Pick<Session, 'userId'> | undefined,
  { identifiers }: ServiceContext,
): boolean {
  return session !== undefined && identifiers.subject(organizationId, session.userId) === subject;
}
