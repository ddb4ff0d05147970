/** A request as plain JSON, with placeholders in double braces for values that are known only on sending: tokens, ids, cookies. */

/** A name and a value. */
export type Pair = readonly [name: string, value: string];

export type PlannedBody =
  | { readonly type?: string; readonly json: unknown }
  | { readonly type?: string; readonly form: readonly Pair[] }
  | { readonly type?: string; readonly text: string };

export interface PlannedRequest {
  /** The operation of the OpenAPI document that it was made from. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly Pair[];
  /** Appended to the query without encoding. */
  readonly rawQuery?: string;
  readonly headers: readonly Pair[];
  readonly body?: PlannedBody;
}

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Pair[];
  readonly body: string;
  readonly bytes: Uint8Array;
  /** Whether it has framing or connection headers, so that its bytes may be read as several requests. */
  readonly changesFraming: boolean;
}

/** Characters from here on encode single bytes, so that JSON can hold arbitrary bytes. */
const RAW_BYTE = 0xf700;
const PLACEHOLDER = /\{\{([a-z_]+)\}\}/g;
/** Headers about the connection: a request with one of them gets a separate connection. */
const CONNECTION_HEADERS =
  /^(?:content-length|transfer-encoding|connection|expect|upgrade|keep-alive|te|trailer)$/i;

/** Encodes a byte as a character. */
export function rawByte(byte: number): string {
  return String.fromCharCode(RAW_BYTE + byte);
}

/** Replaces placeholders by known values, and keeps unknown ones. */
function fillIn(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => known.get(name) ?? placeholder);
}

export function toSent(
  { method, path, query, rawQuery = '', headers, body }: PlannedRequest,
  host: string,
  known: ReadonlyMap<string, string>,
): SentRequest {
  const fill = (text: string) => fillIn(text, known);
  const pairs = toForm(query, fill);
  const parameters = pairs + fill(rawQuery);
  const target = encodeControls(fill(path) + (parameters === '' ? '' : `?${parameters}`));
  const text = body === undefined ? '' : bodyText(body, fill);
  const content = toBytes(text);
  const ownHeaders: Pair[] = headers.map(([name, value]) => [name, fill(value)]);
  const type = body === undefined ? undefined : (body.type ?? typeOf(body));
  const has = (name: string) => ownHeaders.some(([one]) => one.toLowerCase() === name);
  const allHeaders: Pair[] = [
    ...(has('host') ? [] : [['Host', host] as const]),
    ...ownHeaders,
    ...(type === undefined || has('content-type') ? [] : [['Content-Type', type] as const]),
    ...(body === undefined || has('content-length') || has('transfer-encoding')
      ? []
      : [['Content-Length', String(content.byteLength)] as const]),
  ];
  const head = `${method} ${target} HTTP/1.1\r\n${allHeaders.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return {
    method,
    target,
    headers: allHeaders,
    body: text,
    bytes: Buffer.concat([toBytes(head), content]),
    changesFraming: ownHeaders.some(
      ([name, value]) => CONNECTION_HEADERS.test(name.trim()) || /[\r\n]/.test(name + value),
    ),
  };
}

/** Whether a request may be read as several requests or as none, and thus requires a separate connection. */
export function needsSeparateConnection({ method, target, changesFraming }: SentRequest): boolean {
  return changesFraming || !/^[A-Z]+$/.test(method) || /\s/.test(target);
}

function bodyText(body: PlannedBody, fill: (text: string) => string): string {
  if ('json' in body) return fill(JSON.stringify(body.json) ?? '');
  return 'form' in body ? toForm(body.form, fill) : fill(body.text);
}

function typeOf(body: PlannedBody): string {
  return 'form' in body ? 'application/x-www-form-urlencoded' : 'application/json';
}

function toForm(pairs: readonly Pair[], fill: (text: string) => string): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(fill(value))}`).join('&');
}

/** Percent-encodes text: a lone surrogate as U+FFFD, a character from {@link rawByte} as its byte. */
function encode(text: string): string {
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    if (code >= RAW_BYTE && code < RAW_BYTE + 256)
      return `%${(code - RAW_BYTE).toString(16).padStart(2, '0')}`;
    return encodeURIComponent(/\p{Surrogate}/u.test(character) ? '\ufffd' : character);
  }).join('');
}

/** Percent-encodes characters that would end the request line early; the fuzz target `wire` sends them unencoded. */
function encodeControls(target: string): string {
  return target.replaceAll(/[\0\r\n ]/g, (one) => encodeURIComponent(one));
}

export function toBytes(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < RAW_BYTE || code >= RAW_BYTE + 256) continue;
    parts.push(Buffer.from(text.slice(from, at)), Uint8Array.of(code - RAW_BYTE));
    from = at + 1;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(from))]);
}
