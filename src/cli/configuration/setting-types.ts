/** The types of settings: how each is parsed from a string, and what it requires. */
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { BASE_PATH } from '../../http/routes/route.js';
import type { EncryptionKey } from '../../service/index.js';

export interface SettingType<Value> {
  /** Completes the sentence "`NAME` must be …". */
  readonly requirement: string;
  /** @returns `undefined` for an invalid value. Never throws. */
  readonly parse: (text: string) => Value | undefined;
  /** Formats the value for display. Default: `String(value)`. */
  readonly show?: (value: Value) => string;
  /** For secret settings: whether this value contains a secret. Default: always. */
  readonly containsSecret?: (value: Value) => boolean;
}

/** Addresses and networks of trusted proxies. */
export interface Networks {
  readonly text: string;
  readonly list: BlockList;
}

export function oneOf<const Name extends string>(...names: readonly Name[]): SettingType<Name> {
  return {
    requirement: `one of ${names.map((name) => `\`${name}\``).join(', ')}`,
    parse: (text) => names.find((name) => name === text),
  };
}

/** @param meaning - The special meaning of the smallest number, if it has one. */
export function integer(least: number, most: number, meaning?: string): SettingType<number> {
  return {
    requirement: `an integer from ${least}${meaning === undefined ? '' : ` (${meaning})`} to ${most}`,
    parse: (text) => {
      const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return number >= least && number <= most ? number : undefined;
    },
  };
}

export const singleLine: SettingType<string> = {
  requirement: 'a non-empty string without line breaks or other control characters',
  parse: (text) => (/^[^\p{Cc}]+$/u.test(text) ? text : undefined),
};

/** The path of a file, relative to the working directory. */
export const file: SettingType<string> = {
  requirement: 'the path of a file',
  parse: (text) => (text === '' || text.includes('\0') ? undefined : text),
};

export const sha256: SettingType<string> = {
  requirement: '64 hexadecimal digits: the first word that `printf %s "$TOKEN" | sha256sum` prints',
  parse: (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined),
};

/** 256 random bits. */
export const key: SettingType<string> = {
  requirement:
    '256 random bits as 43 characters of base64url or 64 hexadecimal digits, with at least 12 different characters, as printed by `openssl rand -hex 32`',
  parse: (text) => {
    if (!/^(?:[A-Za-z0-9_-]{43}|[0-9a-f]{64})$/i.test(text)) return undefined;
    // Random keys practically always have 12 different characters; keys that were typed by hand often have fewer.
    return new Set(text).size >= 12 ? text : undefined;
  },
};

/** Encryption keys. The first one encrypts. */
export const encryptionKeys: SettingType<readonly EncryptionKey[]> = {
  requirement:
    'one or more keys as `id:key`, separated by commas or white space: the first one encrypts, all of them decrypt; ids must be unique and have 1 to 32 letters, digits, `-` and `_`; a key is 256 random bits in hexadecimal or base64, with at least 12 different characters, as printed by `openssl rand -hex 32`',
  parse: (text) => {
    const keys = text
      .split(/[\s,]+/)
      .filter((part) => part !== '')
      .map(parseEncryptionKey);
    const valid = keys.flatMap((one) => (one === undefined ? [] : [one]));
    const ids = new Set(valid.map(({ id }) => id));
    return keys.length > 0 && ids.size === keys.length ? valid : undefined;
  },
};

const KEY_BYTES = 32;

function parseEncryptionKey(text: string): EncryptionKey | undefined {
  const [, id = '', key = ''] =
    /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?|[0-9a-f]{64})$/i.exec(text) ?? [];
  // Random keys practically always have 12 different characters; keys that were typed by hand often have fewer.
  if (new Set(key).size < 12) return undefined;
  const bytes = Buffer.from(key, key.length === 2 * KEY_BYTES ? 'hex' : 'base64');
  return bytes.length === KEY_BYTES ? { id, bytes } : undefined;
}

export const database: SettingType<Database> = {
  requirement:
    '`sqlite:` and a path, such as `sqlite:.proviso/proviso.sqlite`, or `postgres://user:password@host:port/database` with all characters of the password other than letters and digits percent-encoded',
  parse: parseDatabaseUrl,
  show: ({ engine, shown }) => (engine === 'sqlite' ? `sqlite:${shown}` : shown),
  containsSecret: ({ engine, address, shown }) => engine === 'postgres' && new URL(address).href !== shown,
};

export const issuer: SettingType<string> = {
  requirement: `an https URL with the path \`${BASE_PATH}\` and nothing after it, such as \`https://claims.example${BASE_PATH}\`; its host must be in lower case and ASCII, and the default port 443 must be omitted`,
  parse: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const written = url === undefined ? '' : `${url.origin}${BASE_PATH}`;
    return url?.protocol === 'https:' && url.username === '' && text === written ? text : undefined;
  },
};

export const httpsUrl: SettingType<string> = {
  requirement: 'an https URL without credentials and fragment',
  parse: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const plain =
      url?.protocol === 'https:' && url.username === '' && url.password === '' && !text.includes('#');
    return plain ? text : undefined;
  },
};

export const networks: SettingType<Networks> = {
  requirement: 'addresses and networks, separated by commas, such as `10.0.0.0/8, ::1`',
  parse: (text) => {
    const list = new BlockList();
    const parts = text.split(',').map((part) => part.trim());
    return parts.every((part) => addNetwork(part, list)) ? { text, list } : undefined;
  },
  show: ({ text }) => text,
};

function addNetwork(text: string, list: BlockList): boolean {
  const [address = '', length] = text.split('/', 2);
  const version = isIP(address);
  if (version === 0 || text.split('/').length > 2) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (length === undefined) {
    list.addAddress(address, family);
    return true;
  }
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (!(bits <= (version === 4 ? 32 : 128))) return false;
  list.addSubnet(address, bits, family);
  return true;
}

export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** A path, or a URL including its password. */
  readonly address: string;
  /** The address for display, without the password. */
  readonly shown: string;
}

/** Parses the URL of a store; `undefined` if it is invalid. Never throws. */
export function parseDatabaseUrl(url: string): Database | undefined {
  const path = /^sqlite:(?!\/\/)(.+)$/.exec(url)?.[1];
  if (path !== undefined) return { engine: 'sqlite', address: resolve(path), shown: resolve(path) };
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) return undefined;
  const { hash, pathname } = new URL(url);
  // After a `/` or `#` that is not encoded, the rest of a password would belong to the path or the fragment, and be shown.
  if (hash !== '' || pathname.includes('@')) return undefined;
  return { engine: 'postgres', address: url, shown: withoutSecrets(url) };
}

/** Removes the password and the query string, in which drivers also accept passwords. */
function withoutSecrets(text: string): string {
  const url = new URL(text);
  url.password = '';
  url.search = '';
  return url.href;
}
