/** Recognizes hosts that only this machine reaches. */
import { isIP } from 'node:net';

/** Returns whether a host is a loopback name or address. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}
