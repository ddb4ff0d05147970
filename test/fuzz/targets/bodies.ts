/** Bodies with changed bytes: compares the JSON and form parsers with those of the platform, and sends some bodies to the service (Z3). */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { parseForm } from '../../../src/http/parameters/body.js';
import { ServiceError } from '../../../src/service/index.js';
import { parseStrictJson } from '../../../src/service/json/strict-json.js';
import { type RawResponse, ResponseError } from '../../support/raw-connection.js';
import { type Finding, fuzzTarget, type OpenTarget, type TargetContext } from '../fuzz-target.js';
import { type Deployment, openDeployment } from '../http/deployment.js';
import { describedRequest } from '../http/flows.js';
import { judgeResponse } from '../http/judge-response.js';
import { hostileText } from '../http/mutations.js';
import { type PlannedRequest, toBytes, toSent } from '../http/planned-request.js';
import type { Session } from '../http/session.js';

/** One in this many inputs is also sent to the service; the others are only parsed here. */
const INPUTS_PER_SENT = 8;
const SLOW_MS = 500;

interface Body {
  readonly kind: 'json' | 'form';
  readonly text: string;
  readonly at: PlannedRequest;
  /** Sent to the service if 0. */
  readonly turn: number;
}

export const bodies = fuzzTarget<Body>('bodies', openBodies);

async function openBodies(context: TargetContext): Promise<OpenTarget<Body>> {
  const deployment = await openDeployment('sandbox', context);
  let session: Session | undefined;
  const counts = { read: 0, refused: 0, sent: 0 };
  return {
    inputs: bodyInputs(),
    probe: async ({ kind, text, at, turn }) => {
      const from = performance.now();
      const fault = kind === 'json' ? jsonFault(text, counts) : formFault(text, counts);
      if (fault !== undefined) return fault;
      if (performance.now() - from > SLOW_MS) return { kind: `slow ${kind}`, detail: text.slice(0, 200) };
      if (turn !== 0) return undefined;
      session ??= await deployment.newSession();
      counts.sent += 1;
      return await sent(at, text, kind, session, deployment);
    },
    memory: () => deployment.service().memory(),
    reached: () =>
      `${counts.read} parsed, ${counts.refused} rejected, ${counts.sent} also sent to the service`,
    close: () => deployment.stop(),
  };
}

async function sent(
  at: PlannedRequest,
  text: string,
  kind: Body['kind'],
  session: Session,
  deployment: Deployment,
): Promise<Finding | undefined> {
  const type = kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const request = toSent({ ...at, body: { type, text } }, deployment.host, session.known);
  try {
    const [response] = (await deployment.send(request)) as [RawResponse | undefined];
    return response === undefined ? undefined : judgeResponse(request, response, session, deployment);
  } catch (error) {
    if (error instanceof ResponseError) return await deployment.explainFault(error, at.operation);
    throw error;
  }
}

interface Counts {
  read: number;
  refused: number;
}

function jsonFault(text: string, counts: Counts): Finding | undefined {
  const outcome = parseStrictJson(text);
  counts[outcome.accepted ? 'read' : 'refused'] += 1;
  let platform: { readonly value: unknown } | undefined;
  try {
    platform = { value: JSON.parse(text) };
  } catch {
    platform = undefined;
  }
  if (!outcome.accepted) {
    const { code } = outcome.problem;
    if (platform === undefined || code !== 'json_malformed') return undefined;
    return { kind: 'valid JSON rejected as malformed', detail: text.slice(0, 400) };
  }
  if (platform === undefined) return { kind: 'malformed JSON accepted', detail: text.slice(0, 400) };
  if (!isDeepStrictEqual(outcome.value, platform.value))
    return { kind: 'JSON parsed differently', detail: text };
  const written = JSON.stringify(outcome.value);
  if (/\\u0000|\\ud[89a-f]/.test(written.replaceAll('\\\\', '')))
    return { kind: 'text that stores cannot hold', detail: text.slice(0, 400) };
  return undefined;
}

function formFault(text: string, counts: Counts): Finding | undefined {
  let read: ReadonlyMap<string, string>;
  try {
    read = parseForm(text);
    counts.read += 1;
  } catch (error) {
    counts.refused += 1;
    if (error instanceof ServiceError && error.subcode === 'malformed_body') return undefined;
    return { kind: `a form threw ${String(error)}`, detail: text.slice(0, 400) };
  }
  // Results must equal those of the platform, except that parameters with empty values are omitted.
  const platform = [...new URLSearchParams(text.replace(/^\?/, '%3F'))].filter(([, value]) => value !== '');
  const same = isDeepStrictEqual([...read], platform);
  // Ignores lone surrogates, which no byte sequence decodes to.
  return same || /\p{Surrogate}/u.test(text)
    ? undefined
    : { kind: 'form parsed differently', detail: JSON.stringify([text, [...read], platform]) };
}

function bodyInputs(): fc.Arbitrary<Body> {
  const at = describedRequest().filter(({ body }) => body !== undefined);
  const splice = fc.record({
    place: fc.nat({ max: 400 }),
    cut: fc.nat({ max: 12 }),
    given: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...JSON_PIECES) },
      { weight: 2, arbitrary: hostileText() },
    ),
  });
  return fc
    .tuple(at, fc.array(splice, { maxLength: 4 }), fc.nat({ max: INPUTS_PER_SENT - 1 }))
    .map(([request, splices, turn]) => {
      const { body } = request;
      const isForm = body !== undefined && 'form' in body;
      let text = isForm
        ? body.form
            .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
            .join('&')
        : JSON.stringify(body !== undefined && 'json' in body ? body.json : {});
      for (const { place, cut, given } of splices) {
        const from = place % (text.length + 1);
        text = text.slice(0, from) + given + text.slice(from + cut);
      }
      return {
        kind: isForm ? 'form' : 'json',
        text: Buffer.from(toBytes(text)).toString('utf8'),
        at: request,
        turn,
      };
    });
}

const JSON_PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\"', '\\u0000', '\\ud800', '\\udc00\\ud800', '\\u', '/**/'],
  ...['1e400', '-0', '01', '1.', '.5', '+1', '1e5', '9007199254740993', '1E+', 'NaN', 'null', 'tru'],
  ...['"a":1,"a":2,', '"a":1,"\\u0061":2,', '"__proto__":{"x":1},', '\ufeff', '\u2028', '\t', '\n', '\u00a0'],
  ...[
    '[['.repeat(40),
    '{"a":'.repeat(70),
    '&',
    '=',
    '==',
    '&&',
    '%',
    '%2',
    '%zz',
    '%00',
    '%C3%28',
    '+',
    '%2B',
  ],
  ...['&client_id=x', 'client%5Fid=y&', ';', '%ED%A0%80', '%F4%90%80%80', '%EF%BB%BF'],
];
