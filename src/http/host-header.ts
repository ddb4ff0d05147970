/** Checks `Host` where requests are not bound to the issuer's name: a page that resolves its own name to this machine is rejected (S10). */
import { isIP } from 'node:net';

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;
const HOST = /^(?:\[([\da-f:.]+)\]|([^\s:/@[\]]+))(?::\d{1,5})?$/i;

/** Whether a `Host` names this machine's loopback interface. */
export function isLoopbackHost(authority: string): boolean {
  return LOOPBACK.test(authority);
}

/**
 * Whether a `Host` is a loopback name, an IP address, or the configured name. DNS rebinding needs a name that the attacker's DNS
 * server resolves, and is none of these.
 */
export function isDirectHost(authority: string, configured: string): boolean {
  if (isLoopbackHost(authority)) return true;
  const [, ipv6, name = ''] = HOST.exec(authority) ?? [];
  if (ipv6 !== undefined) return isIP(ipv6) === 6;
  return isIP(name) === 4 || (name !== '' && name.toLowerCase() === configured.toLowerCase());
}
