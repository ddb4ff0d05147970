/** The two environments, as one object that all policy differences read (V1, V2). */

export type EnvironmentName = 'sandbox' | 'production';

export interface Environment {
  readonly name: EnvironmentName;
  /** Made-up people and applications are put into an empty store. */
  readonly seeded: boolean;
  /** Only requests for a loopback name are answered, so that no web page can reach the sandbox by a name of its own (D21). */
  readonly loopbackOnly: boolean;
}

export const SANDBOX: Environment = Object.freeze({ name: 'sandbox', seeded: true, loopbackOnly: true });

/** Real people: nothing is made up, and nobody decides for a person but that person and the administrator (V2). */
export const PRODUCTION: Environment = Object.freeze({
  name: 'production',
  seeded: false,
  loopbackOnly: false,
});
