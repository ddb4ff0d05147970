/** Requests with changed bytes, several on one connection: the service must send well-formed responses below 500, and keep running (S4–S6, Z3). */
import * as fc from 'fast-check';
import { ResponseError, sendBytes } from '../../support/raw-connection.js';
import { fuzzTarget, type OpenTarget, type TargetContext } from '../fuzz-target.js';
import { HANG_MS, openDeployment } from '../http/deployment.js';
import { describedRequest } from '../http/flows.js';
import { type PlannedRequest, toBytes, toSent } from '../http/planned-request.js';
import type { Session } from '../http/session.js';

interface Splice {
  readonly place: number;
  readonly cut: number;
  readonly given: string;
}

interface WireInput {
  /** Sent in sequence on one connection. */
  readonly requests: readonly PlannedRequest[];
  readonly splices: readonly Splice[];
}

export const wire = fuzzTarget<WireInput>('wire', openWire);

async function openWire(context: TargetContext): Promise<OpenTarget<WireInput>> {
  const deployment = await openDeployment('sandbox', context);
  let session: Session | undefined;
  const statuses = new Map<number, number>();
  return {
    inputs: wireInputs(),
    probe: async ({ requests, splices }) => {
      session ??= await deployment.newSession();
      const { known } = session;
      const bytes = Buffer.concat(requests.map((one) => toSent(one, deployment.host, known).bytes));
      try {
        const responses = await sendBytes(deployment.service().port, spliced(bytes, splices), HANG_MS);
        for (const { status, body } of responses) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status >= 500) return { kind: `status ${status}`, detail: body.slice(0, 400) };
        }
        if (deployment.service().ended() === undefined) return undefined;
        return await deployment.explainFault(new ResponseError('closed', 'the process has exited'), 'wire');
      } catch (error) {
        if (error instanceof ResponseError) return await deployment.explainFault(error, 'wire');
        throw error;
      }
    },
    memory: () => deployment.service().memory(),
    reached: () => `responses: ${[...statuses].map(([status, count]) => `${status} ${count}`).join(', ')}`,
    close: () => deployment.stop(),
  };
}

function spliced(bytes: Buffer, splices: readonly Splice[]): Buffer {
  return splices.reduce((changed, { place, cut, given }) => {
    const from = place % (changed.length + 1);
    return Buffer.concat([changed.subarray(0, from), toBytes(given), changed.subarray(from + cut)]);
  }, bytes);
}

function wireInputs(): fc.Arbitrary<WireInput> {
  const splice = fc.record({
    // Most of the head is in the first few hundred bytes.
    place: fc.oneof(fc.nat({ max: 120 }), fc.nat({ max: 600 })),
    cut: fc.oneof(fc.constant(0), fc.nat({ max: 8 })),
    given: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    ),
  });
  return fc.record(
    {
      requests: fc.array(describedRequest(), { minLength: 1, maxLength: 3 }),
      splices: fc.array(splice, { minLength: 1, maxLength: 4 }),
    },
    { noNullPrototype: true },
  );
}

const PIECES = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    ' ',
    '\t',
    ':',
    '\0',
    '\u00ff',
    'HTTP/1.0',
    'HTTP/2.0',
    'HTTP/1.1',
    '*',
    '%',
  ],
  ...['\r\nHost: localhost', '\r\nHost: attacker.example', '\r\nContent-Length: 5', '\r\nContent-Length: -1'],
  ...['\r\nContent-Length: 1e3', '\r\nContent-Length: 99999999999999999999', '\r\nContent-Length: 5, 6'],
  ...[
    '\r\nTransfer-Encoding: chunked',
    '\r\nTransfer-Encoding: identity',
    '\r\nTransfer-Encoding: chunked, chunked',
  ],
  ...[
    '\r\n5\r\nabcde\r\n0\r\n\r\n',
    '\r\n5;ext="x"\r\nabcde\r\n0\r\nTrailer: x\r\n\r\n',
    'ffffffffffffffff\r\n',
    '-1\r\n',
  ],
  ...[
    '\r\nExpect: 100-continue',
    '\r\nConnection: upgrade\r\nUpgrade: websocket',
    '\r\nConnection: close',
    '\r\n X: folded',
  ],
  ...[
    'GET http://attacker.example/ HTTP/1.1\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\n\r\n',
    '\u0016\u0003\u0001',
  ],
];
