/** Parameters that select a person (S125–S129). */
import { EVM_ADDRESS_FORM, type PersonSelector, parseIdentifier, toSelector } from '../../service/index.js';
import { malformed } from '../errors.js';

/** The kind of identifier in each parameter. The value of `identifier` states its own kind. */
const TYPES = { user_id: 'id', email: 'email', evm_address: 'evmAddress' } as const;

export const SELECTORS = ['identifier', 'user_id', 'email', 'evm_address'] as const;

/** Parses the value of a parameter. @throws {ServiceError} `malformed_body` */
export function parseSelector(name: (typeof SELECTORS)[number], value: string): PersonSelector {
  const selector = name === 'identifier' ? parseIdentifier(value) : toSelector(TYPES[name], value);
  if (selector !== undefined) return selector;
  const form =
    name === 'identifier'
      ? `\`type|value\`, with a known type; a wallet address must be ${EVM_ADDRESS_FORM}`
      : EVM_ADDRESS_FORM;
  throw malformed(`/${name}`, 'selector', `\`${name}\` must be ${form}.`);
}
