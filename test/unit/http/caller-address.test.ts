/** The normalized address of a caller, by which requests are counted (S24, S197). */
import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createAddressReader, toCallerAddress } from '../../../src/http/caller-address.js';

describe('the address of a caller', () => {
  // S197
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['0000::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s is normalized to %s (mapped IPv4 to IPv4, IPv6 to its /64 network)', (address, normalized) => {
    expect(toCallerAddress(address)).toBe(normalized);
  });
});

describe('a forwarded address', () => {
  const trusted = new BlockList();
  trusted.addSubnet('10.0.0.0', 8, 'ipv4');

  function from(remoteAddress: string, forwarded: string, list?: BlockList): string {
    const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } };
    return createAddressReader(list)(request as unknown as IncomingMessage);
  }

  // S24
  it.each([
    ['192.0.2.7', '198.51.100.1', '192.0.2.7'],
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['10.0.0.1', 'evil\\r\\n, 10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', '[2001:db8::1]', '2001:db8:0:0::/64'],
    ['10.0.0.1', '198.51.100.1:5555', '198.51.100.1'],
    ['10.0.0.1', '198.51.100.1, 10.0.0.2:80', '198.51.100.1'],
    ['10.0.0.1', '[2001:db8::1]:443', '2001:db8:0:0::/64'],
    ['10.0.0.1', '198.51.100.1, 0:0:0:0:0:ffff:10.0.0.2', '198.51.100.1'],
    ['10.0.0.1', '198.51.100.1:', '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
  ])(
    'from the peer %s with X-Forwarded-For %j is %s: the last hop that is not a trusted proxy, or the hop after a malformed one',
    (peer, forwarded, expected) => {
      expect(from(peer, forwarded, trusted)).toBe(expected);
    },
  );

  // S24
  it('is ignored if no proxy is trusted', () => {
    expect(from('10.0.0.1', '198.51.100.1')).toBe('10.0.0.1');
  });
});
