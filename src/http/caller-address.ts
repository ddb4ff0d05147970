/** Determines the address of a caller: that of the connection's peer, or the one that a trusted proxy forwards (S24, S197). */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, type Socket, SocketAddress } from 'node:net';

/** Returns a caller's address in the normalized form that rate limits and logs use. Never throws. */
export type AddressReader = (request: IncomingMessage) => string;

/** Maximum number of forwarded addresses that are read. */
const MAX_HOPS = 16;
const UNKNOWN = 'unknown';

/** Creates an address reader. @param trusted - Proxies whose `X-Forwarded-For` is used. Default: none. */
export function createAddressReader(trusted?: BlockList): AddressReader {
  const peers = new WeakMap<Socket, string>();
  return ({ socket, headers }) => {
    let peer = peers.get(socket);
    if (peer === undefined) {
      peer = socket.remoteAddress ?? UNKNOWN;
      peers.set(socket, trusted === undefined ? toCallerAddress(peer) : peer);
      peer = peers.get(socket) ?? UNKNOWN;
    }
    if (trusted === undefined) return peer;
    const forwarded = headers['x-forwarded-for'];
    const client = typeof forwarded === 'string' ? findForwardedAddress(peer, forwarded, trusted) : peer;
    return toCallerAddress(client);
  };
}

/** Normalizes an address: an IPv4-mapped IPv6 address to IPv4, other IPv6 addresses to their /64, which one caller usually controls (S197). */
export function toCallerAddress(address: string): string {
  const mapped = unmapIpv4(address);
  if (isIP(mapped) !== 6) return mapped;
  const groups = expandIpv6(mapped);
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Returns the address nearest to the service that is not a trusted proxy. Stops at a malformed entry, which may be forged. */
function findForwardedAddress(peer: string, forwarded: string, trusted: BlockList): string {
  let current = peer;
  const hops = forwarded.split(',').slice(-MAX_HOPS).reverse();
  for (const hop of hops) {
    if (!isTrusted(current, trusted)) return current;
    const address = withoutPort(hop.trim());
    if (isIP(address) === 0) return current;
    current = address;
  }
  return current;
}

/** Whether a list contains an address; IPv4-mapped IPv6 addresses match as IPv4. */
export function isTrusted(address: string, trusted: BlockList): boolean {
  const plain = unmapIpv4(address);
  const version = isIP(plain);
  return version !== 0 && trusted.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

/** Removes the port of a forwarded address, and the brackets of IPv6. */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop;
}

/** Converts an IPv4-mapped IPv6 address, in any spelling, to IPv4. */
function unmapIpv4(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(canonical)?.[1] ?? canonical;
}

/** Returns the eight groups of an IPv6 address, without leading zeros. */
function expandIpv6(address: string): readonly string[] {
  const [before = '', after] = (address.split('%')[0] ?? '').toLowerCase().split('::', 2);
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const gap = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(Math.max(0, gap)).fill('0'), ...tail];
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}
