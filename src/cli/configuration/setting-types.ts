/** The kinds of values that a setting has: how each is read from a text, and what would be right. */
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { BASE_PATH } from '../../http/routes/route.js';
import type { EncryptionKey } from '../../service/index.js';

export interface SettingType<Value> {
  /** The end of a sentence "`NAME` is …". */
  readonly requirement: string;
  /** @returns `undefined` where the text is not right. Never throws. */
  readonly parse: (text: string) => Value | undefined;
  /** The value as a person reads it; as it was written where absent. */
  readonly show?: (value: Value) => string;
  /** For the type of a secret setting: whether this value holds a secret. Every value does where absent. */
  readonly holdsSecret?: (value: Value) => boolean;
}

/** Addresses and networks whose word about a caller's address is taken. */
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

/** @param meaning - What the smallest number says, where it says something of its own. */
export function integer(least: number, most: number, meaning?: string): SettingType<number> {
  return {
    requirement: `a number from ${least}${meaning === undefined ? '' : ` (${meaning})`} to ${most}`,
    parse: (text) => {
      const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return number >= least && number <= most ? number : undefined;
    },
  };
}

export const singleLine: SettingType<string> = {
  requirement: 'a text without line breaks',
  parse: (text) => (/^[^\p{Cc}]+$/u.test(text) ? text : undefined),
};

/** The path of a file, from the working directory. */
export const file: SettingType<string> = {
  requirement: 'the path of a file',
  parse: (text) => (text === '' || text.includes('\0') ? undefined : text),
};

export const sha256: SettingType<string> = {
  requirement: '64 hexadecimal digits, as `printf %s "$TOKEN" | sha256sum` prints them',
  parse: (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined),
};

/** 256 bits, which nobody chose. */
export const key: SettingType<string> = {
  requirement:
    '43 characters of base64url or 64 hexadecimal digits: 256 bits, as `openssl rand -hex 32` prints them',
  parse: (text) => {
    if (!/^(?:[A-Za-z0-9_-]{43}|[0-9a-f]{64})$/i.test(text)) return undefined;
    // Twelve different characters: what a person typed to fill the length is none.
    return new Set(text).size >= 12 ? text : undefined;
  },
};

/** The first one writes. */
export const encryptionKeys: SettingType<readonly EncryptionKey[]> = {
  requirement:
    'keys as `id:key`, separated by commas or lines: the first one encrypts, all of them decrypt; an id is up to 32 letters, digits, `-` and `_`, and a key 256 bits in hexadecimal or base64, as `openssl rand -hex 32` prints them',
  parse: (text) => {
    const keys = text
      .split(/[\s,]+/)
      .filter((part) => part !== '')
      .map(parseEncryptionKey);
    const whole = keys.flatMap((one) => (one === undefined ? [] : [one]));
    const ids = new Set(whole.map(({ id }) => id));
    return keys.length > 0 && ids.size === keys.length ? whole : undefined;
  },
};

const KEY_BYTES = 32;

function parseEncryptionKey(text: string): EncryptionKey | undefined {
  const [, id = '', key = ''] =
    /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?|[0-9a-f]{64})$/i.exec(text) ?? [];
  // Twelve different characters: what a person typed to fill the length is none.
  if (new Set(key).size < 12) return undefined;
  const bytes = Buffer.from(key, key.length === 2 * KEY_BYTES ? 'hex' : 'base64');
  return bytes.length === KEY_BYTES ? { id, bytes } : undefined;
}

export const database: SettingType<Database> = {
  requirement:
    '`sqlite:` and a path, such as `sqlite:.proviso/proviso.sqlite`, or `postgres://user:password@host:port/database` with what is no letter or digit in the password percent-encoded',
  parse: parseDatabaseUrl,
  show: ({ engine, shown }) => (engine === 'sqlite' ? `sqlite:${shown}` : shown),
  holdsSecret: ({ engine, address, shown }) => engine === 'postgres' && new URL(address).href !== shown,
};

export const issuer: SettingType<string> = {
  requirement: `an https URL with the path \`${BASE_PATH}\` and nothing behind it, such as \`https://claims.example${BASE_PATH}\``,
  parse: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const written = url === undefined ? '' : `${url.origin}${BASE_PATH}`;
    return url?.protocol === 'https:' && url.username === '' && text === written ? text : undefined;
  },
};

export const httpsUrl: SettingType<string> = {
  requirement: 'an https URL without user and fragment',
  parse: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const plain = url?.protocol === 'https:' && url.username === '' && !text.includes('#');
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
