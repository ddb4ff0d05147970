/** A request as plain JSON, with names in double braces for what is only known when it is sent: tokens, ids, cookies. */

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
  /** Put behind the query as it is. */
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
  /** Whether it says something of its framing or its connection itself, so that what follows it may be taken for another. */
  readonly framesItself: boolean;
}

/** Characters from here on encode single bytes, so that JSON can hold arbitrary bytes. */
const RAW_BYTE = 0xf700;
const NAMED = /\{\{([a-z_]+)\}\}/g;
/** Headers about the connection: a request with one of them gets a separate connection. */
const OF_THE_CONNECTION =
  /^(?:content-length|transfer-encoding|connection|expect|upgrade|keep-alive|te|trailer)$/i;

/** Encodes a byte as a character. */
export function rawByte(byte: number): string {
  return String.fromCharCode(RAW_BYTE + byte);
}

/** Replaces names by known values; unknown names are kept. */
function fillIn(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(NAMED, (whole, name: string) => known.get(name) ?? whole);
}

export function toSent(
  { method, path, query, rawQuery = '', headers, body }: PlannedRequest,
  host: string,
  known: ReadonlyMap<string, string>,
): SentRequest {
  const fill = (text: string) => fillIn(text, known);
  const pairs = toForm(query, fill);
  const parameters = pairs + fill(rawQuery);
  const target = visible(fill(path) + (parameters === '' ? '' : `?${parameters}`));
  const text = body === undefined ? '' : bodyText(body, fill);
  const content = toBytes(text);
  const own: Pair[] = headers.map(([name, value]) => [name, fill(value)]);
  const type = body === undefined ? undefined : (body.type ?? typeOf(body));
  const has = (name: string) => own.some(([one]) => one.toLowerCase() === name);
  const all: Pair[] = [
    ...(has('host') ? [] : [['Host', host] as const]),
    ...own,
    ...(type === undefined || has('content-type') ? [] : [['Content-Type', type] as const]),
    ...(body === undefined || has('content-length') || has('transfer-encoding')
      ? []
      : [['Content-Length', String(content.byteLength)] as const]),
  ];
  const head = `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return {
    method,
    target,
    headers: all,
    body: text,
    bytes: Buffer.concat([toBytes(head), content]),
    framesItself: own.some(
      ([name, value]) => OF_THE_CONNECTION.test(name.trim()) || /[\r\n]/.test(name + value),
    ),
  };
}

/** Whether a request could be read as more than one, or as none. */
export function needsOwnConnection({ method, target, framesItself }: SentRequest): boolean {
  return framesItself || !/^[A-Z]+$/.test(method) || /\s/.test(target);
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

/** Percent-encodes as browsers do; a single byte as itself. */
function encode(text: string): string {
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    if (code >= RAW_BYTE && code < RAW_BYTE + 256)
      return `%${(code - RAW_BYTE).toString(16).padStart(2, '0')}`;
    return encodeURIComponent(/\p{Surrogate}/u.test(character) ? '\ufffd' : character);
  }).join('');
}

/** A request's line is one line: what would end it early is the wire's target, and not this one's. */
function visible(target: string): string {
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
