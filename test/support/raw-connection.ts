/** A connection that sends raw bytes and parses responses strictly. */
import { connect, type Socket } from 'node:net';

/** A response parsed from bytes. */
export interface RawResponse {
  readonly status: number;
  /** In the order in which they were sent; names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Thrown if a response is late, missing, truncated or malformed. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly kind: 'hang' | 'closed' | 'unreadable' | 'extra data';

  constructor(kind: ResponseError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface RawConnection {
  /**
   * Sends one request and reads its response; opens the connection if necessary.
   *
   * @throws {ResponseError} If the response is late, missing, truncated or malformed, or more data follows.
   */
  send(bytes: Uint8Array, method: string): Promise<RawResponse>;
  close(): void;
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [A-Za-z' -]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\t\x20-\x7e]*)$/;
const HEAD_END = '\r\n\r\n';
const QUIET_MS = 250;

/** @param waitMs - Timeout of a complete response. */
export function openRawConnection(port: number, waitMs: number): RawConnection {
  let socket: Socket | undefined;
  const drop = () => {
    socket?.destroy();
    socket = undefined;
  };
  return {
    send: async (bytes, method) => {
      // A server may close an idle connection while a request is sent: repeat it on a new one.
      const kept = socket !== undefined && !socket.destroyed && socket.writable;
      if (!kept) socket = open(port);
      try {
        const response = await exchange(socket as Socket, bytes, method, waitMs);
        if (response.closing) drop();
        return response;
      } catch (error) {
        drop();
        if (!kept || !(error instanceof ResponseError) || error.kind !== 'closed') throw error;
        socket = open(port);
        const response = await exchange(socket, bytes, method, waitMs).catch((again: unknown) => {
          drop();
          throw again;
        });
        if (response.closing) drop();
        return response;
      }
    },
    close: drop,
  };
}

function open(port: number): Socket {
  // Errors are handled when the connection closes.
  return connect(port, '127.0.0.1').on('error', () => undefined);
}

/**
 * Sends bytes on a new connection and reads every response. Closes its half of the connection after the first response or a short
 * silence, since the server would wait for the rest of an incomplete request.
 *
 * @throws {ResponseError} If the connection is not closed in time, or the bytes are not a sequence of responses.
 */
export async function sendBytes(port: number, bytes: Uint8Array, waitMs: number): Promise<RawResponse[]> {
  const received = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const quiet = setTimeout(() => socket.end(), QUIET_MS);
    const timer = setTimeout(() => {
      reject(new ResponseError('hang', `the connection is open after ${waitMs} ms`));
      socket.destroy();
    }, waitMs);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isComplete(text)) socket.end();
    });
    // A server may reset the connection to stop further sending; the received data is used.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(new ResponseError('closed', 'connection refused'));
    });
    socket.on('close', () => {
      clearTimeout(timer);
      clearTimeout(quiet);
      resolve(text);
    });
  });
  const isHead = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === 'HEAD ';
  return readResponses(received, isHead);
}

/** Returns whether the first response is complete; `false` if it is malformed, which {@link readResponses} reports later. */
function isComplete(received: string): boolean {
  try {
    return readResponse(received, 'GET', false) !== undefined;
  } catch {
    return false;
  }
}

/** Parses the complete responses, without interim ones (1xx). Ignores a truncated last one: after a half-close, the server may abort. */
function readResponses(received: string, isHead: boolean): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = received;
  // The response to HEAD has no body, unless the request could not be parsed.
  const head = isHead && received !== '' ? readResponse(received, 'HEAD', false) : undefined;
  if (head !== undefined && /^(?:HTTP\/1\.|$)/.test(received.slice(head.length))) {
    responses.push(head.response);
    rest = received.slice(head.length);
  }
  while (rest !== '') {
    const read = readResponse(rest, 'GET', false);
    if (read === undefined) break;
    if (read.response.status >= 200) responses.push(read.response);
    rest = rest.slice(read.length);
  }
  return responses;
}

function exchange(
  socket: Socket,
  bytes: Uint8Array,
  method: string,
  waitMs: number,
): Promise<RawResponse & { readonly closing: boolean }> {
  return new Promise((resolve, reject) => {
    let received = '';
    const settle = (action: () => void) => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose);
      action();
    };
    const fail = (kind: ResponseError['kind'], message: string) =>
      settle(() => reject(new ResponseError(kind, message)));
    const timer = setTimeout(() => fail('hang', `no response within ${waitMs} ms`), waitMs);
    const finish = (ended: boolean) => {
      let read: ReturnType<typeof readResponse>;
      try {
        read = readResponse(received, method, ended);
      } catch (error) {
        settle(() => reject(error));
        return true;
      }
      if (read === undefined) return false;
      const { response, length } = read;
      const last = headerOf(response, 'connection') === 'close';
      // The response to an unparsable request may have a body even for HEAD.
      if (received.length > length && !(method === 'HEAD' && last)) {
        fail(
          'extra data',
          `more data after the response: ${JSON.stringify(received.slice(length, length + 200))}`,
        );
        return true;
      }
      settle(() => resolve({ ...response, closing: ended || last }));
      return true;
    };
    const onData = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      finish(false);
    };
    const onClose = () => {
      if (received === '') fail('closed', 'closed without a response');
      else if (!finish(true)) fail('unreadable', `cut off: ${JSON.stringify(received.slice(0, 200))}`);
    };
    socket.on('data', onData).on('close', onClose);
    socket.write(bytes);
  });
}

/** Returns the first header of a name; `undefined` without one. */
export function headerOf({ headers }: RawResponse, name: string): string | undefined {
  return headers.find(([one]) => one === name)?.[1];
}

/** Parses the first response of a latin1 string, with its length; `undefined` if it is incomplete. */
function readResponse(
  received: string,
  method: string,
  ended: boolean,
): { readonly response: RawResponse; readonly length: number } | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = received.slice(0, headEnd).split('\r\n');
  const status = Number(STATUS_LINE.exec(statusLine)?.[1] ?? Number.NaN);
  if (Number.isNaN(status))
    throw new ResponseError('unreadable', `no status line: ${JSON.stringify(statusLine)}`);
  const headers = lines.map((line) => {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined) throw new ResponseError('unreadable', `no header: ${JSON.stringify(line)}`);
    return [name.toLowerCase(), value ?? ''] as const;
  });
  const start = headEnd + HEAD_END.length;
  const parsed = (body: string, length: number) => ({
    response: { status, headers, body: Buffer.from(body, 'latin1').toString('utf8') },
    length,
  });
  if (status < 200 || status === 204 || method === 'HEAD') return parsed('', start);
  const lengths = headers.filter(([name]) => name === 'content-length');
  if (lengths.length > 1) throw new ResponseError('unreadable', 'two Content-Length headers');
  const length = lengths[0]?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    return received.length < end ? undefined : parsed(received.slice(start, end), end);
  }
  if (headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked')) {
    const read = readChunks(received, start);
    return read === undefined ? undefined : parsed(read.body, read.end);
  }
  return ended ? parsed(received.slice(start), received.length) : undefined;
}

function readChunks(
  text: string,
  start: number,
): { readonly body: string; readonly end: number } | undefined {
  let body = '';
  let position = start;
  for (;;) {
    const lineEnd = text.indexOf('\r\n', position);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(text.slice(position, lineEnd), 16);
    if (Number.isNaN(size)) throw new ResponseError('unreadable', 'a chunk without a size');
    const end = lineEnd + 2 + size + 2;
    if (text.length < end) return undefined;
    if (size === 0) return { body, end };
    body += text.slice(lineEnd + 2, lineEnd + 2 + size);
    position = end;
  }
}
