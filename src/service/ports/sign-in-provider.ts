/** Port of OpenID Connect providers at which people sign in. */
import { ProvisoError } from '../../util/proviso-error.js';

/** Values of `acr` and `amr`. A sign-in has this assurance if it has at least one of them, in either claim. */
export interface Assurance {
  readonly acr: readonly string[];
  readonly amr: readonly string[];
}

/** How the claims of a provider identify a person: JSON Pointers (RFC 6901) into its claims. */
export interface PersonClaims {
  /** The name of a new person; with `name` in `linkBy`, also that of the existing person to link. Default: `/sub`. */
  readonly name: string;
  readonly email: string;
  /** A member that is `true` or `"true"` if the provider verified the address. Other addresses are ignored. */
  readonly emailVerified: string;
}

/** The identifiers by which an account is linked to an existing person at its first sign-in. */
export const LINK_IDENTIFIERS = ['name', 'email'] as const;

export type LinkIdentifier = (typeof LINK_IDENTIFIERS)[number];

/** The settings of a provider. */
export interface SignInProviderSettings {
  /** Part of its redirect URI: lower-case letters, digits and `-`. */
  readonly id: string;
  /** Shown to people. */
  readonly name: string;
  /** Compared exactly with `iss`. */
  readonly issuer: string;
  readonly clientId: string;
  /** Requested scopes, including `openid`. */
  readonly scopes: readonly string[];
  readonly claims: PersonClaims;
  readonly linkBy: readonly LinkIdentifier[];
  /** What every sign-in must have; one with the assurance `palm` satisfies it as well. Absent without a requirement. */
  readonly required?: Assurance;
  /** What verifies the person's palm (V6); absent for a provider that does not verify palms. */
  readonly palm?: Assurance;
  /** Whether people who sign out are also signed out at the provider. */
  readonly endSession: boolean;
}

/** An authorization request to a provider. */
export interface ProviderRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The verifier of PKCE (RFC 7636). */
  readonly codeVerifier: string;
  readonly acrValues: readonly string[];
  readonly prompt?: string;
  readonly maxAgeSeconds?: number;
}

/** The values of a request that its response must match. */
export type ExpectedResponse = Pick<ProviderRequest, 'redirectUri' | 'state' | 'nonce' | 'codeVerifier'>;

/** What a provider states about a person who signed in. */
export interface ProviderIdentity {
  /** `sub`: unique at the issuer, and never reassigned. */
  readonly subject: string;
  /** `auth_time`: when the person authenticated, epoch milliseconds; absent if not stated. */
  readonly authenticatedAt?: number;
  readonly acr?: string;
  readonly amr: readonly string[];
  /** The claims of the ID token. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The claims of the UserInfo response, if the ID token lacks a mapped claim; read only for claims that the ID token lacks. */
  readonly userInfo?: Readonly<Record<string, unknown>>;
}

/** A verified response, or its fault. */
export type ProviderOutcome =
  | { readonly accepted: true; readonly identity: ProviderIdentity }
  | {
      readonly accepted: false;
      /** Describes the fault: printable ASCII without `"` and `\`, and nothing of the response except known codes. */
      readonly fault: string;
    };

/** A provider at which people sign in, with the authorization code flow, PKCE and an ID token. */
export interface SignInProvider {
  readonly settings: SignInProviderSettings;

  /** Returns the URL to which a browser is sent to sign in. @throws {ProviderUnavailable} */
  createAuthorizationUrl(request: ProviderRequest): Promise<string>;

  /**
   * Validates a response – `state`, `iss` (RFC 9207), code, and the signature, `iss`, `aud`, `nonce` and lifetime of the ID token.
   *
   * @param parameters - Each once.
   * @throws {ProviderUnavailable}
   */
  redeemResponse(
    parameters: ReadonlyMap<string, string>,
    expected: ExpectedResponse,
  ): Promise<ProviderOutcome>;

  /**
   * Returns the URL that signs a person out at the provider (OpenID Connect RP-Initiated Logout 1.0); `undefined` if the provider has none.
   *
   * @throws {ProviderUnavailable}
   */
  createLogoutUrl(postLogoutRedirectUri: string, state: string): Promise<string | undefined>;
}

/** Thrown if a provider cannot be reached, or does not work as a provider: wrong metadata, keys or client authentication. */
export class ProviderUnavailable extends ProvisoError<'provider_unavailable'> {
  override readonly name = 'ProviderUnavailable';

  constructor(cause: unknown) {
    super('provider_unavailable', 'the sign-in provider cannot be reached, or its response is invalid', {
      cause,
    });
  }
}
