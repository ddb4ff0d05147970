/** Parsing of identifiers by which an application names a person (S125–S129). */
import { describe, expect, it } from 'vitest';
import { isEvmAddress, parseIdentifier } from '../../../src/service/people/people.js';

describe('the identifier', () => {
  // S129
  it.each([
    ['id|x', { by: 'id', value: 'x' }],
    ['user|x', { by: 'id', value: 'x' }],
    ['user_id|x', { by: 'id', value: 'x' }],
    ['email|a|b@c', { by: 'email', value: 'a|b@c' }],
    ['evm|0x', { by: 'evm_address', value: '0x' }],
    ['evm_addr|0x', { by: 'evm_address', value: '0x' }],
    ['wallet|0x', { by: 'evm_address', value: '0x' }],
  ])('%s is split at its first `|`', (identifier, selector) => {
    expect(parseIdentifier(identifier)).toEqual(selector);
  });

  // S129
  it.each(['', '|', '|x', 'id|', 'x', 'Email|a@b', '__proto__|x', 'constructor|x'])(
    '%j is rejected',
    (identifier) => {
      expect(parseIdentifier(identifier)).toBeUndefined();
    },
  );

  // S128
  it.each([
    [`0x${'aB'.repeat(20)}`, true],
    [`0x${'a'.repeat(39)}`, false],
    [`0X${'a'.repeat(40)}`, false],
    [`0x${'g'.repeat(40)}`, false],
    ['', false],
  ])('%s is a wallet address: %j', (text, valid) => {
    expect(isEvmAddress(text)).toBe(valid);
  });
});
