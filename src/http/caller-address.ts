/** Whom a request comes from: the connection's other end, or whom a proxy that we trust says it is (S24, S197). */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, type Socket, SocketAddress } from 'node:net';

/** Reads a caller's address in the one form by which limits count and logs name them. Never throws. */
export type AddressReader = (request: IncomingMessage) => string;

/** How many addresses of a forwarded chain are looked at. */
const MAX_HOPS = 16;
const UNKNOWN = 'unknown';

/** @param trusted - Whose `X-Forwarded-For` counts; nobody's where absent. */
export function createAddressReader(trusted?: BlockList): AddressReader {
  const known = new WeakMap<Socket, string>();
  return ({ socket, headers }) => {
    let peer = known.get(socket);
    if (peer === undefined) {
      peer = socket.remoteAddress ?? UNKNOWN;
      known.set(socket, trusted === undefined ? toCallerAddress(peer) : peer);
      peer = known.get(socket) ?? UNKNOWN;
    }
    if (trusted === undefined) return peer;
    const forwarded = headers['x-forwarded-for'];
    const client = typeof forwarded === 'string' ? findForwardedAddress(peer, forwarded, trusted) : peer;
    return toCallerAddress(client);
  };
}

/** An IPv4 address that is mapped into IPv6 as IPv4; of IPv6 the network of 64 bits, since a caller has all of it (S197). */
export function toCallerAddress(address: string): string {
  const mapped = unmapIpv4(address);
  if (isIP(mapped) !== 6) return mapped;
  const groups = expandIpv6(mapped);
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** From the nearest hop on: the first that is no proxy of ours. What is no address was made up by who sent it. */
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

/** Whether an address is in a list, also where it is an IPv4 address mapped into IPv6. */
export function isTrusted(address: string, trusted: BlockList): boolean {
  const plain = unmapIpv4(address);
  const version = isIP(plain);
  return version !== 0 && trusted.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

/** Removes the port of a hop, and the brackets of an IPv6 address. */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop;
}

/** Returns an IPv4 address for every spelling of one that is mapped into IPv6. */
function unmapIpv4(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(canonical)?.[1] ?? canonical;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function expandIpv6(address: string): readonly string[] {
  const [before = '', after] = (address.split('%')[0] ?? '').toLowerCase().split('::', 2);
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const gap = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(Math.max(0, gap)).fill('0'), ...tail];
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}
