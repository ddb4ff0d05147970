/** The versions of the language and of the protocol between the conformance suite and an implementation. */

/** The version of the language. */
export const LANGUAGE = 'v1';

/** The version of the protocol. */
export const PROTOCOL = 1;
