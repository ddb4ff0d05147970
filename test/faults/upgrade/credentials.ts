/** Writers that ingest credentials, evaluate queries about them and revoke some, with each request to the next instance; and an audit of the store. */
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../../src/service/index.js';
import { bearer, logIn, UnexpectedResponse } from '../soak/people.js';
import { NoResponse, type Requests, type SoakResponse } from '../soak/requests.js';

/** An acknowledged credential. */
interface Written {
  readonly id: string;
  readonly value: number;
  /** `unknown` after a revocation without a response. */
  revoked: boolean | 'unknown';
}

export interface CredentialWriter {
  readonly person: string;
  readonly written: Written[];
  /** Ingests, evaluates and revokes until stopped. */
  run(stopped: () => boolean): Promise<void>;
  /** Evaluates a query about the newest credential at the next instance, unless the outcome of its writing is unknown. Returns a fault if none was written. */
  audit(): Promise<readonly string[]>;
}

/** Receives the outcomes of the requests. */
export interface WriterEvents {
  readonly answered: () => void;
  readonly failed: (why: string) => void;
  readonly wrong: (what: string) => void;
}

/** A claim that no query of the soak test reads. */
const CLAIM = 'financial.cex_balance';
const SCOPES = ['openid', 'financial:read'];
/** Age of the first credential. All are newer than those of the sandbox, and each takes precedence over the ones before. */
const ISSUED_BEFORE_MS = 3_600_000;
const ISSUED_STEP_MS = 100;
const REVOKED_EVERY = 3;
const PAUSE_MS = 30;

export function createCredentialWriter(
  person: string,
  requests: Requests,
  { answered, failed, wrong }: WriterEvents,
): CredentialWriter {
  const written: Written[] = [];
  const firstIssuedAt = Date.now() - ISSUED_BEFORE_MS;
  let token: string | undefined;
  let count = 0;
  const send = async (path: string, options: { method?: string; token?: string; json?: unknown }) => {
    const { token: bearerToken = SANDBOX_ADMINISTRATOR_TOKEN, ...request } = options;
    const headers = bearer({ access_token: bearerToken });
    const response = await requests.send({ ...request, path: `/v2${path}`, headers });
    if (response.status === 503) throw new NoResponse('503', false);
    answered();
    if (response.status !== 200)
      throw new UnexpectedResponse(
        `${path} was answered with ${response.status}: ${JSON.stringify(response.body).slice(0, 200)}`,
      );
    return response;
  };
  const expectVerdict = async (value: number, expected: boolean, when: string) => {
    token ??= (await logIn((request) => requests.send(request), person, SCOPES)).access_token;
    const json = { query: { check: { claim: CLAIM, operator: '==', value } } };
    const { passed } = bodyOf<{ passed: boolean }>(await send('/queries/evaluate', { token, json }));
    if (passed !== expected) wrong(`${person}: \`${value}\` ${passed ? 'passes' : 'fails'} ${when}`);
  };
  const writeOnce = async () => {
    count += 1;
    const value = count;
    const credential = {
      id: `upgrade-${person}-${count}`,
      source: 'Upgrade Test',
      issuedAt: new Date(firstIssuedAt + count * ISSUED_STEP_MS).toISOString(),
      claims: { [CLAIM]: value },
    };
    const json = { identifier: `id|person-${person}`, credential };
    const { id } = bodyOf<{ id: string }>(await send('/credentials', { json }));
    const entry: Written = { id, value, revoked: false };
    written.push(entry);
    await expectVerdict(value, true, 'after it was ingested');
    if (count % REVOKED_EVERY !== 0) return;
    entry.revoked = 'unknown';
    await send(`/credentials/${id}`, { method: 'DELETE' });
    entry.revoked = true;
    await expectVerdict(value, false, 'after it was revoked');
  };
  return {
    person,
    written,
    run: async (stopped) => {
      while (!stopped()) {
        try {
          await writeOnce();
        } catch (error) {
          if (error instanceof UnexpectedResponse) wrong(`${person}: ${error.message}`);
          else if (error instanceof NoResponse) failed(error.message);
          else throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
    audit: async () => {
      const newest = written.at(-1);
      if (newest === undefined) return [`${person}: no credential was written`];
      if (newest.value !== count || newest.revoked === 'unknown') return [];
      await expectVerdict(newest.value, !newest.revoked, 'at the end');
      return [];
    },
  };
}

/** Compares the acknowledged credentials with the rows of the store. Returns what is lost. */
export async function auditCredentials(
  writers: readonly CredentialWriter[],
  readRows: (text: string) => Promise<readonly unknown[]>,
): Promise<readonly string[]> {
  const rows = (await readRows('select id, revoked_at from credential')) as readonly {
    readonly id: string;
    readonly revoked_at: unknown;
  }[];
  const revokedAt = new Map(rows.map(({ id, revoked_at }) => [id, revoked_at]));
  return writers
    .flatMap(({ written }) => written)
    .flatMap(({ id, revoked }) => {
      if (!revokedAt.has(id)) return [`the credential ${id} is lost`];
      const isRevoked = revokedAt.get(id) !== null;
      return revoked === 'unknown' || revoked === isRevoked
        ? []
        : [`the credential ${id} is ${isRevoked ? '' : 'not '}revoked`];
    });
}

function bodyOf<Body>({ body }: SoakResponse): Body {
  return body as Body;
}
