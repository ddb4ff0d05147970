/** Where a store is: SQLite or PostgreSQL, with and without what is secret (V12, S196). */
import { resolve } from 'node:path';

export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** A path, or a URL with its password. */
  readonly address: string;
  /** The same for a person to read: without a password. */
  readonly shown: string;
}

/** Reads where a store is; `undefined` for what names none. Never throws. */
export function parseDatabaseUrl(url: string): Database | undefined {
  const path = /^sqlite:(?!\/\/)(.+)$/.exec(url)?.[1];
  if (path !== undefined) return { engine: 'sqlite', address: resolve(path), shown: resolve(path) };
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) {
    return { engine: 'postgres', address: url, shown: withoutSecrets(url) };
  }
  return undefined;
}

/** Drivers take a password as a parameter as well. */
function withoutSecrets(text: string): string {
  const url = new URL(text);
  url.password = '';
  url.search = '';
  return url.href;
}
