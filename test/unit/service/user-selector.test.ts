/** Parsing of identifiers by which an application names a person (S125–S129). */
import { describe, expect, it } from 'vitest';
import { parseEvmAddress } from '../../../src/service/people/evm-address.js';
import { parseIdentifier } from '../../../src/service/people/people.js';

const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ADDRESS = CHECKSUMMED.toLowerCase();
/** The case of the last letter is changed. */
const WRONG = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';

describe('the identifier', () => {
  // S129
  it.each([
    ['id|x', { by: 'id', value: 'x' }],
    ['user|x', { by: 'id', value: 'x' }],
    ['user_id|x', { by: 'id', value: 'x' }],
    ['email|a|b@c', { by: 'email', value: 'a|b@c' }],
    [`evm|${ADDRESS}`, { by: 'evmAddress', value: ADDRESS }],
    [`evm_addr|${ADDRESS}`, { by: 'evmAddress', value: ADDRESS }],
    [`wallet|${CHECKSUMMED}`, { by: 'evmAddress', value: ADDRESS }],
  ])('%s is split at its first `|`', (identifier, selector) => {
    expect(parseIdentifier(identifier)).toEqual(selector);
  });

  // S129
  it.each([
    '',
    '|',
    '|x',
    'id|',
    'x',
    'Email|a@b',
    '__proto__|x',
    'constructor|x',
    'evm|0x',
    `wallet|${WRONG}`,
  ])('%j is rejected', (identifier) => {
    expect(parseIdentifier(identifier)).toBeUndefined();
  });

  // S128; the first eight are the examples of EIP-55
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    `0x${'0'.repeat(40)}`,
  ])('%s is a wallet address, and is compared in lower case', (text) => {
    expect(parseEvmAddress(text)).toBe(text.toLowerCase());
  });

  // S128
  it.each([
    ['its checksum is wrong', WRONG],
    ['it is too short', `0x${'a'.repeat(39)}`],
    ['it is too long', `0x${'a'.repeat(41)}`],
    ['its prefix is in upper case', `0X${'a'.repeat(40)}`],
    ['it has other characters', `0x${'g'.repeat(40)}`],
    ['it ends with a line feed', `${ADDRESS}\n`],
    ['it is empty', ''],
  ])('an address is rejected if %s', (_fault, text) => {
    expect(parseEvmAddress(text)).toBeUndefined();
  });

  // S128
  it('every change of the case of one letter of an address in mixed case is rejected', () => {
    const letters = [...CHECKSUMMED].flatMap((character, index) =>
      index > 1 && /[a-f]/i.test(character) ? [index] : [],
    );
    for (const index of letters) {
      const letter = CHECKSUMMED.charAt(index);
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      const changed = CHECKSUMMED.slice(0, index) + other + CHECKSUMMED.slice(index + 1);
      expect(parseEvmAddress(changed)).toBeUndefined();
    }
    expect(letters).toHaveLength(18);
  });
});
