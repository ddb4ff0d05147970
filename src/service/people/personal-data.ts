/** What the service holds about a person: list, export and erasure (S329–S332). */
import type { AuditRecord } from '../audit/audit-trail.js';
import type { ServiceContext } from '../context.js';
import { findSelectedPerson } from '../credentials/credentials.js';
import { hashCredentialId } from '../credentials/signed-credentials.js';
import { ServiceError } from '../errors.js';
import { listRecordedAnswers, type RecordedAnswer } from '../inference/inference-rules.js';
import type { LearnedFact } from '../ledger/learned-fact.js';
import { parseFact } from '../ledger/ledger-recorder.js';
import type { PersonGrant } from '../ports/store/grant-store.js';
import type { CredentialRecord, ErasureCounts, LinkedAccount } from '../ports/store/registry-store.js';
import { type Person, parseIdentifier } from './people.js';

/** Everything that is held about a person. Instants are epoch milliseconds. */
export interface PersonalData {
  readonly exportedAt: number;
  readonly person: Person;
  readonly accounts: readonly LinkedAccount[];
  /** Active or not, with their claims. */
  readonly credentials: readonly CredentialRecord[];
  /** Active or not, newest first. */
  readonly grants: readonly PersonGrant[];
  /** What each application has learned, as the ledger has it. */
  readonly learned: readonly LearnedEntry[];
  /** The answers about claims with an inference bound that applications of an organization have received. They are kept when grants end. */
  readonly boundedAnswers: readonly BoundedAnswer[];
  /** The entries of the audit log about the person, oldest first. */
  readonly audit: readonly AuditRecord[];
}

/** An entry of the ledger. */
export interface LearnedEntry {
  readonly clientId: string;
  readonly authorizationId: string;
  readonly fact: LearnedFact;
  /** Epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** How often this outcome replaced another one of the same query. */
  readonly changes: number;
}

/** An answer about a claim with an inference bound. */
export interface BoundedAnswer extends RecordedAnswer {
  readonly organizationId: string;
}

/** What an erasure removed. */
export interface ErasedPerson extends ErasureCounts {
  readonly personId: string;
}

/** Dependencies of these use cases, for commands without a service. */
export type PersonalDataContext = Pick<
  ServiceContext,
  'store' | 'clock' | 'digest' | 'credentialKey' | 'audit'
>;

/** Who exports: the operator by the command, the administrator over HTTP, or the person. */
export type Exporter = 'by_operator' | 'by_administrator' | 'by_person';

const AUDIT_PAGE = 1_000;

/** Creates the use cases. */
export function createPersonalData(context: PersonalDataContext) {
  const { store, clock, audit } = context;
  const getById = async (userId: string): Promise<Person> => {
    const person = await store.findPerson('id', userId);
    if (person === undefined) throw new ServiceError('not_found');
    return person;
  };
  const read = async (userId: string): Promise<PersonalData> => {
    const at = clock.now();
    const grants = await store.listPersonGrants(userId, undefined, at);
    return {
      exportedAt: at,
      person: await getById(userId),
      accounts: await store.listAccounts(userId),
      credentials: await store.listCredentials(userId),
      grants,
      learned: await readLearned(grants, store),
      boundedAnswers: (await store.listInference(userId)).flatMap(({ organizationId, answers }) =>
        listRecordedAnswers(answers).map((answer) => ({ organizationId, ...answer })),
      ),
      audit: await readAudit(userId, context),
    };
  };
  const find = async (identifier: string): Promise<Person> => {
    const selector = parseIdentifier(identifier) ?? { by: 'id' as const, value: identifier };
    const person =
      (await findSelectedPerson(selector, context)) ?? (await store.findPerson('name', identifier));
    if (person === undefined) throw new ServiceError('not_found');
    return person;
  };
  const erase = async (userId: string): Promise<ErasedPerson> => {
    const hashId = (id: string) => hashCredentialId(id, context);
    const counts = await store.erasePerson({ userId, hashId, at: clock.now() });
    if (counts === undefined) throw new ServiceError('not_found');
    return { personId: userId, ...counts };
  };
  return {
    /** Lists people after an id. */
    async listPeople(after: string, limit: number): Promise<readonly Person[]> {
      return await store.listPeopleById(after, limit);
    },

    /**
     * Finds a person by id, name, or `type|value` as in the ingestion of credentials.
     *
     * @throws {ServiceError} `not_found`
     */
    find,

    /** Reads everything that is held about a person. @throws {ServiceError} `not_found` */
    read,

    /**
     * Like {@link read}, and records the export in the audit log before it returns. The entry is not part of this export.
     *
     * @throws {ServiceError} `not_found`
     */
    async export(userId: string, by: Exporter): Promise<PersonalData> {
      const data = await read(userId);
      await audit?.record([{ at: data.exportedAt, kind: 'person_exported', userId, reason: by }]);
      return data;
    },

    /**
     * Erases a person: credentials, grants, tokens, accounts, sessions, their ledger, and answers about bounded claims. Effective at once, on all
     * instances.
     *
     * @throws {ServiceError} `not_found`
     */
    erase,

    /**
     * Erases the person that `find` finds. By id, also one whose row cannot be decrypted, which `find` rejects.
     *
     * @throws {ServiceError} `not_found`
     */
    async eraseSelected(identifier: string): Promise<ErasedPerson> {
      return await erase(identifier).catch(async (error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        return await erase((await find(identifier)).id);
      });
    },
  };
}

/** Databases limit the number of parameters. */
const GRANTS_PER_READ = 500;

async function readLearned(
  grants: readonly PersonGrant[],
  store: Pick<ServiceContext['store'], 'listLearned'>,
): Promise<readonly LearnedEntry[]> {
  const clients = new Map(
    grants.map(({ authorizationId, application }) => [authorizationId, application.clientId]),
  );
  const ids = [...clients.keys()];
  const entries: LearnedEntry[] = [];
  for (let first = 0; first < ids.length; first += GRANTS_PER_READ)
    for (const record of await store.listLearned(ids.slice(first, first + GRANTS_PER_READ))) {
      const { authorizationId, firstAt, lastAt, changes } = record;
      const clientId = clients.get(authorizationId) ?? '';
      entries.push({ clientId, authorizationId, fact: parseFact(record.detail), firstAt, lastAt, changes });
    }
  return entries;
}

async function readAudit(userId: string, { store }: PersonalDataContext): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  for (let after: AuditRecord | undefined; ; ) {
    const page = await store.listAudit({
      userId,
      limit: AUDIT_PAGE,
      ...(after === undefined ? {} : { after }),
    });
    records.push(...page);
    after = page.at(-1);
    if (page.length < AUDIT_PAGE) return records;
  }
}
