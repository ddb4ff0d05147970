/**
 * Contract of the seals over the audit log: tampering with sealed entries is detected. Run for every
 * adapter (S449).
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AuditHead,
  type AuditVerification,
  createAuditChain,
  createAuditSealer,
  type Store,
  sweepAudit,
  verifyAudit,
} from '../../src/service/index.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { createFixedClock } from '../support/fixed-clock.js';
import {
  fillGrowingTables,
  findPlanFaults,
  type PlannedDatabase,
  type StatementCapture,
} from './query-plans.js';

/** A store of an adapter, and direct access to its database. */
export interface TamperableStore {
  readonly store: Store;
  /** The same store, opened by another instance. */
  readonly other: Store;
  /** The database of both stores. */
  readonly database: PlannedDatabase;
  /** Runs a statement on a separate connection. */
  readonly runSql: (text: string) => Promise<unknown>;
  /** Statements that remove or disable the triggers on the audit log, its seals and its retention. */
  readonly disarm: readonly string[];
  /** Statements that restore the triggers. */
  readonly arm: readonly string[];
  /** SQL between columns and values that allows explicit positions. */
  readonly overriding: string;
}

const AT = 1_780_000_000_000;
const MINUTE_MS = 60_000;
const SEED = 11_212_026;

/**
 * @param open - Opens an empty store.
 * @param runs - Number of random logs, divided equally among the kinds of tampering and rounded up. The test of forged gaps uses a third of this number
 *   in addition.
 */
export function describeAuditChain(name: string, open: () => Promise<TamperableStore>, runs: number): void {
  describe(`the seals over the audit log on ${name}`, () => {
    let context: TamperableStore;
    let capture: StatementCapture;
    const clock = createFixedClock(AT);
    const chain = createAuditChain('the audit key', systemDigest);

    beforeAll(async () => {
      context = await open();
      capture = context.database.capture();
    });

    afterAll(async () => {
      await context.store.close();
      await context.other.close();
    });

    const runAll = async (statements: readonly string[]) => {
      for (const statement of statements) await context.runSql(statement);
    };
    const tamper = async (...statements: readonly string[]) => {
      await runAll(context.disarm);
      await runAll(statements);
      await runAll(context.arm);
    };

    beforeEach(async () => {
      clock.moveTo(AT);
      await empty();
    });

    const empty = () =>
      tamper(
        'delete from audit_entry',
        'delete from audit_seal',
        'update audit_retention set kept_from = 0, kept_from_mac = null, start_number = 0, chain_start = null',
      );
    /** Inserts an entry at a position, like a transaction that commits. */
    const insertAt = (position: number, at = AT, reason = 'genuine') =>
      context.runSql(
        `insert into audit_entry (position, at, kind, reason) ${context.overriding} values (${position}, ${at}, 'client_refused', '${reason}')`,
      );
    const createSealer = (store = context.store) => createAuditSealer({ store, clock, chain });
    const sealAll = async (seal = createSealer()) => {
      while (await seal());
    };
    const verify = (head?: AuditHead): Promise<AuditVerification> =>
      verifyAudit({ store: context.store, chain, clock }, head);
    const getHead = async (): Promise<AuditHead> => {
      const head = await context.store.findLastSeal();
      if (head === undefined) throw new Error('there is no seal');
      return head;
    };
    /** Writes twelve entries at the positions 1 to 12 with three seals. */
    const fill = async () => {
      for (const last of [4, 8, 12]) {
        for (let position = last - 3; position <= last; position += 1)
          await insertAt(position, AT + position, `reason-${position}`);
        await sealAll();
      }
    };

    it('report no problem in an unchanged log, and count unsealed entries', async () => {
      expect(await verify()).toEqual({ seals: 0, entries: 0, unsealed: 0 });
      await fill();
      const head = await getHead();
      await insertAt(13);
      expect(await verify(head)).toEqual({ seals: 3, entries: 12, unsealed: 1, head: 'included' });
      await sealAll();
      expect(await verify(head)).toEqual({ seals: 4, entries: 13, unsealed: 0, head: 'included' });
      expect(await getHead()).toMatchObject({ number: 4, position: 13, entries: 13, at: AT });
    });

    it('cover entries that the store records, with at most 500 entries per seal', async () => {
      const entries = Array.from({ length: 1_001 }, (_, index) => ({
        at: AT,
        kind: 'query_answered' as const,
        clientId: `ü-${index}`,
        userId: 'p"\n',
        scopes: ['a b', '\\'],
        claims: [],
        queryHash: 'h',
      }));
      await context.store.getOrCreatePerson({ id: 'p"\n', name: 'p', about: '' });
      await context.store.recordAudit(entries);
      await sealAll();
      expect(await verify()).toEqual({ seals: 3, entries: 1_001, unsealed: 0 });
    });

    it.each([
      [`update audit_entry set reason = 'other' where position = 5`, 'entry_changed', 5],
      [`update audit_entry set reason = null where position = 12`, 'entry_changed', 12],
      [`update audit_entry set at = at - 1 where position = 1`, 'entry_changed', 1],
      [`update audit_entry set client_id = 'shop' where position >= 7`, 'entry_changed', 7],
      [`update audit_entry set scopes = 'no JSON' where position = 6`, 'entry_changed', 6],
      [`delete from audit_entry where position = 5`, 'entry_removed', 5],
      [`delete from audit_entry where position in (12, 3)`, 'entry_removed', 3],
      [`delete from audit_entry`, 'entry_removed', 1],
      [
        `update audit_entry set at = case position when 6 then ${AT + 7} else ${AT + 6} end, reason = case position when 6 then 'reason-7' else 'reason-6' end where position in (6, 7)`,
        'entry_changed',
        6,
      ],
      [`delete from audit_seal where number = 2`, 'seal_removed', 5],
      [`delete from audit_seal where number = 1`, 'seal_removed', 1],
      [`update audit_seal set mac = 'x' where number = 2`, 'seal_changed', 5],
      [`update audit_seal set hash = 'x' where number = 3`, 'seal_changed', 9],
      [`update audit_seal set lines = '[]' where number = 3`, 'seal_changed', 9],
      [`update audit_seal set gaps = '[[1,12,0]]' where number = 2`, 'seal_changed', 5],
      [`update audit_seal set entries = 5 where number = 1`, 'seal_changed', 1],
      [`update audit_seal set position = 13 where number = 3`, 'seal_changed', 9],
      [`update audit_seal set sealed_at = 5 where number = 1`, 'seal_changed', 1],
      [`update audit_seal set last_at = last_at + 1 where number = 2`, 'seal_changed', 5],
      [`update audit_retention set kept_from = ${AT + 100}, kept_from_mac = 'x'`, 'retention_changed'],
      [`update audit_retention set chain_start = 'no JSON'`, 'retention_changed'],
      [`update audit_retention set chain_start = '{"mac":"x"}'`, 'retention_changed'],
    ] as const)('detect %s', async (statement, kind, position?: number) => {
      await fill();
      await tamper(statement);
      const { problem } = await verify();
      expect(problem).toEqual({ kind, ...(position === undefined ? {} : { position }) });
    });

    it('report no problem if the retention limit was raised but nothing was removed', async () => {
      await fill();
      await tamper(`update audit_retention set kept_from = ${AT + 100}`);
      expect(await verify()).toEqual({ seals: 3, entries: 12, unsealed: 0 });
    });

    it.each([0, -5, 4_000_000])('detect an entry that was inserted at position %i', async (position) => {
      await insertAt(4_000_001);
      await sealAll();
      clock.moveTo(AT + 11 * MINUTE_MS);
      // The positions before the first entry were skipped, and their gap is closed by now.
      await insertAt(4_000_002, AT + 11 * MINUTE_MS);
      await sealAll();
      expect((await verify()).problem).toBeUndefined();
      await insertAt(position);
      expect((await verify()).problem).toEqual({ kind: 'entry_inserted', position });
    });

    it('detect entries that were deleted manually after the retention limit was raised', async () => {
      await fill();
      await sweepAudit({ store: context.store, chain }, AT + 3, 100);
      expect((await verify()).problem).toBeUndefined();
      const { keptFrom, mac } = await context.store.readAuditRetention();
      await runAll([
        `update audit_retention set kept_from = ${AT + 7}`,
        `delete from audit_entry where at < ${AT + 7}`,
      ]);
      expect((await verify()).problem).toEqual({ kind: 'retention_changed' });
      await tamper(`update audit_retention set kept_from = ${keptFrom}, kept_from_mac = '${mac}'`);
      expect((await verify()).problem).toEqual({ kind: 'entry_removed', position: 3 });
      await tamper(`update audit_retention set kept_from_mac = null`);
      expect((await verify()).problem).toEqual({ kind: 'entry_removed', position: 1 });
    });

    it('detect seals that were deleted manually, even if a genuine head is stored as the start of the chain', async () => {
      await fill();
      const [, second] = await context.store.listSeals(0, 2);
      const { lastAt: _lastAt, gaps: _gaps, lines: _lines, ...head } = second as NonNullable<typeof second>;
      await tamper(
        `delete from audit_seal where number <= 2`,
        `delete from audit_entry where position <= 8`,
        `update audit_retention set kept_from = ${AT + 9}, start_number = 2, chain_start = '${JSON.stringify(head)}'`,
      );
      expect((await verify()).problem).toEqual({ kind: 'retention_changed' });
      await tamper(`update audit_retention set chain_start = null`);
      expect((await verify()).problem).toEqual({ kind: 'seal_removed', position: 1 });
    });

    it('detect by a head that the newest entries were removed with their seals, or replaced', async () => {
      await fill();
      const head = await getHead();
      await tamper(`delete from audit_seal where number >= 2`, `delete from audit_entry where position > 4`);
      expect(await verify()).toEqual({ seals: 1, entries: 4, unsealed: 0 });
      expect((await verify(head)).problem).toEqual({ kind: 'log_truncated', position: 5 });
      for (const position of [5, 6]) {
        await insertAt(position, AT, 'forged');
        await sealAll();
      }
      expect((await verify()).problem).toBeUndefined();
      expect((await verify(head)).problem).toEqual({ kind: 'log_replaced', position: 6 });
    });

    it('detect by a head that the log and all seals were removed', async () => {
      await fill();
      const head = await getHead();
      await empty();
      expect((await verify(head)).problem).toEqual({ kind: 'log_truncated', position: 1 });
    });

    it('reject a head that was changed or that another deployment created', async () => {
      await fill();
      const head = await getHead();
      const otherChain = createAuditChain('another key', systemDigest);
      const forged = otherChain.seal(
        { ...head, number: head.number - 1 },
        { ...head, gaps: '[]', lines: '[]' },
      );
      for (const wrong of [
        { ...head, entries: 11 },
        { ...head, number: 2 },
        { ...head, ...forged },
      ])
        expect((await verify(wrong)).problem).toEqual({ kind: 'head_not_genuine' });
    });

    it('cannot be forged by an attacker with write access to the database but without the key', async () => {
      await fill();
      await tamper(
        `update audit_entry set reason = 'forged' where position = 10`,
        'delete from audit_seal where number = 3',
      );
      const forger = createAuditChain('a guess', systemDigest);
      const previous = await getHead();
      const found = await context.store.listAuditLines([{ from: 9 }], 10);
      const content = {
        position: 12,
        entries: 12,
        at: AT,
        gaps: '[]',
        lines: JSON.stringify(found.map(forger.hashLine)),
      };
      expect(
        await context.store.addSeal({ ...content, ...forger.seal(previous, content), lastAt: AT + 12 }),
      ).toBe(true);
      expect((await verify()).problem).toEqual({ kind: 'seal_changed', position: 9 });
      await insertAt(13);
      await expect(createSealer()()).rejects.toThrow(/the last seal is not genuine/);
    });

    it.each([
      `gaps = '[[13,2000,9000000000000]]'`,
      `gaps = 'no JSON'`,
      `lines = '[]'`,
      'last_at = 0',
      'sealed_at = sealed_at - 1',
      'entries = 11',
      'position = 11',
      `hash = 'x'`,
      `mac = 'x'`,
    ])('are not continued after the last seal was changed to %s', async (assignment) => {
      await fill();
      const before = await getHead();
      await insertAt(13);
      await tamper(`update audit_seal set ${assignment} where number = 3`);
      await expect(createSealer()()).rejects.toThrow(/the last seal is not genuine/);
      expect(await getHead()).toMatchObject({ number: before.number });
    });

    it('are not continued after the removal of the seal before the last one, or of all seals when retention has already removed earlier ones', async () => {
      await fill();
      await insertAt(13);
      await tamper('delete from audit_seal where number = 2');
      await expect(createSealer()()).rejects.toThrow(/the seal before the last one is missing/);
      await empty();
      await fill();
      const ports = { store: context.store, chain };
      for (let step = 0; step < 3; step += 1) await sweepAudit(ports, AT + 9, 100);
      await insertAt(13);
      await sealAll();
      expect((await verify()).problem).toBeUndefined();
      await tamper('delete from audit_seal');
      await expect(createSealer()()).rejects.toThrow(/the seal before the last one is missing/);
    });

    it.each([
      ['a gap that never closes', [[5, 9, 9_000_000_000_000]], 0],
      ['a gap with a later time', [[5, 9, AT + 1]], 0],
      ['a gap that was widened', [[4, 9, AT]], 0],
      ['a gap among sealed entries', [[2, 3, AT]], 0],
      ['a gap without a skipped position', [[11, 12, AT + 1]], 0],
      ['a gap that is ten minutes old', [[5, 9, AT]], 10 * MINUTE_MS - 1],
    ] as const)('report %s even in a seal with a valid MAC', async (_title, gaps, laterMs) => {
      for (const position of [1, 2, 3, 4, 10]) await insertAt(position);
      await sealAll();
      const previous = await getHead();
      const at = AT + 1 + laterMs;
      await insertAt(11, at);
      const lines = JSON.stringify(
        (await context.store.listAuditLines([{ from: 11 }], 10)).map(chain.hashLine),
      );
      const addSealWith = async (openGaps: readonly unknown[]) => {
        const content = { position: 11, entries: 6, at, gaps: JSON.stringify(openGaps), lines };
        await context.store.addSeal({ ...content, ...chain.seal(previous, content), lastAt: at });
      };
      clock.moveTo(at);
      await addSealWith(laterMs === 0 ? [[6, 8, AT]] : []);
      expect((await verify()).problem).toBeUndefined();
      await tamper('delete from audit_seal where number = 2');
      await addSealWith(gaps);
      expect((await verify()).problem).toEqual({ kind: 'gap_forged', position: 11 });
    });

    it('close a gap after ten minutes even if no entries are added, and report an entry that is added to it later', async () => {
      for (const position of [1, 2, 5]) await insertAt(position);
      await sealAll();
      const { number } = await getHead();
      clock.moveTo(AT + 10 * MINUTE_MS - 1);
      await sealAll();
      expect(await getHead()).toMatchObject({ number });
      clock.moveTo(AT + 10 * MINUTE_MS);
      await sealAll();
      await sealAll();
      expect(await getHead()).toMatchObject({ number: number + 1, position: 5, entries: 3 });
      expect((await verify()).problem).toBeUndefined();
      await insertAt(4);
      await sealAll();
      expect((await verify()).problem).toEqual({ kind: 'entry_inserted', position: 4 });
    });

    it('report a late entry outside of every gap even in a seal with a valid MAC', async () => {
      for (const position of [1, 3]) await insertAt(position);
      await sealAll();
      const previous = await getHead();
      await insertAt(0);
      const lines = (await context.store.listAuditLines([{ to: 0 }], 10)).map(chain.hashLine);
      const content = {
        ...{ position: 3, entries: 3, at: AT, gaps: JSON.stringify([[2, 2, AT]]) },
        lines: JSON.stringify(lines),
      };
      await context.store.addSeal({ ...content, ...chain.seal(previous, content), lastAt: AT });
      expect((await verify()).problem).toEqual({ kind: 'entry_inserted', position: 0 });
    });

    it('are not continued by a service whose last seal is missing', async () => {
      const seal = createSealer();
      await insertAt(1);
      await seal();
      await insertAt(2);
      await seal();
      await tamper(
        'delete from audit_seal where number = 2',
        `update audit_entry set reason = 'forged' where position = 2`,
      );
      await expect(seal()).rejects.toThrow(/a seal that this process saw is missing or was replaced/);
      expect((await verify()).entries).toBe(1);
    });

    it('report old unsealed entries, such as those left by the removal of every seal', async () => {
      await fill();
      await tamper('delete from audit_seal');
      expect(await verify()).toEqual({ seals: 0, entries: 0, unsealed: 12 });
      clock.moveTo(AT + 11 * MINUTE_MS);
      expect((await verify()).problem).toEqual({ kind: 'entry_not_sealed', position: 1 });
    });

    it('cover entries that become visible after later ones were sealed', async () => {
      await insertAt(2);
      await insertAt(6);
      await sealAll();
      expect(await verify()).toEqual({ seals: 1, entries: 2, unsealed: 0 });
      await insertAt(4);
      expect(await verify()).toEqual({ seals: 1, entries: 2, unsealed: 1 });
      await insertAt(7);
      await insertAt(1);
      await sealAll();
      await insertAt(5);
      await sealAll();
      expect(await verify(await getHead())).toEqual({ seals: 3, entries: 6, unsealed: 0, head: 'included' });
      await tamper('delete from audit_entry where position = 1');
      expect((await verify()).problem).toEqual({ kind: 'entry_removed', position: 1 });
    });

    it('cover all entries of a gap that they close, also if there are more than 500', async () => {
      await insertAt(602);
      await sealAll();
      const rows = Array.from(
        { length: 601 },
        (_, index) => `(${index + 1}, ${AT}, 'client_refused', 'late')`,
      );
      await context.runSql(
        `insert into audit_entry (position, at, kind, reason) ${context.overriding} values ${rows.join()}`,
      );
      clock.moveTo(AT + 11 * MINUTE_MS);
      await sealAll();
      expect(await verify()).toEqual({ seals: 2, entries: 602, unsealed: 0 });
    });

    it('accept entries at skipped positions for ten minutes, and report those added later as inserted', async () => {
      await insertAt(2);
      await sealAll();
      clock.moveTo(AT + 9 * MINUTE_MS);
      await insertAt(3, AT + 9 * MINUTE_MS);
      await sealAll();
      await insertAt(1);
      expect((await verify()).problem).toBeUndefined();
      clock.moveTo(AT + 11 * MINUTE_MS);
      await insertAt(5, AT + 11 * MINUTE_MS);
      await sealAll();
      expect(await verify()).toMatchObject({ entries: 4, unsealed: 0 });
      clock.moveTo(AT + 22 * MINUTE_MS);
      await insertAt(6, AT + 22 * MINUTE_MS);
      await sealAll();
      await insertAt(4);
      expect((await verify()).problem).toEqual({ kind: 'entry_inserted', position: 4 });
    });

    it('accept removals by retention, entry by entry and seal by seal', async () => {
      await fill();
      const ports = { store: context.store, chain };
      const [first] = await context.store.listSeals(0, 1);
      expect(await sweepAudit(ports, AT + 7, 2)).toBe(2);
      expect(await verify()).toEqual({ seals: 3, entries: 10, unsealed: 0 });
      expect([await sweepAudit(ports, AT + 7, 100), await sweepAudit(ports, AT + 7, 100)]).toEqual([4, 1]);
      expect(await sweepAudit(ports, AT + 7, 100)).toBe(0);
      expect(await verify(first)).toEqual({ seals: 2, entries: 6, unsealed: 0, head: 'included' });
      await insertAt(13, AT + 13);
      await sealAll();
      expect([await sweepAudit(ports, AT + 13, 100), await sweepAudit(ports, AT + 13, 100)]).toEqual([6, 2]);
      expect(await verify(first)).toEqual({ seals: 1, entries: 1, unsealed: 0, head: 'before_retention' });
      expect([await sweepAudit(ports, AT + 99, 100), await sweepAudit(ports, AT + 99, 100)]).toEqual([1, 0]);
      expect(await verify()).toEqual({ seals: 1, entries: 0, unsealed: 0 });
      await insertAt(14, AT + 100);
      await sealAll();
      expect(await verify()).toEqual({ seals: 2, entries: 1, unsealed: 0 });
      await tamper('delete from audit_seal');
      expect((await verify()).problem).toMatchObject({ kind: 'seal_removed' });
    });

    it('are removed by retention only if they are genuine', async () => {
      await fill();
      await tamper(`update audit_seal set hash = 'x' where number = 1`);
      const ports = { store: context.store, chain };
      await sweepAudit(ports, AT + 9, 100);
      await expect(sweepAudit(ports, AT + 9, 100)).rejects.toThrow(/not genuine/);
      expect((await verify()).problem).toEqual({ kind: 'seal_changed', position: 1 });
    });

    it('are not removed by retention with another key, and neither are their entries', async () => {
      await fill();
      const withAnotherKey = { store: context.store, chain: createAuditChain('another key', systemDigest) };
      await expect(sweepAudit(withAnotherKey, AT + 9, 100)).rejects.toThrow(/another key/);
      expect(await verify()).toEqual({ seals: 3, entries: 12, unsealed: 0 });
      expect(await sweepAudit({ store: context.store, chain }, AT + 9, 100)).toBe(8);
      expect(await verify()).toEqual({ seals: 3, entries: 4, unsealed: 0 });
    });

    it('cannot be changed or replaced, or removed before their entries', async () => {
      await fill();
      const before = await context.store.listSeals(0, 10);
      for (const statement of [`update audit_seal set mac = 'x'`, 'delete from audit_seal'])
        await expect(context.runSql(statement)).rejects.toThrow(
          /audit seals (?:must not be changed|of entries)/,
        );
      await expect(context.store.pruneSeals(2, 'start')).rejects.toThrow();
      const [, , last] = before;
      expect(await context.store.addSeal({ ...(last as NonNullable<typeof last>), mac: 'x' })).toBe(false);
      expect(await context.store.listSeals(0, 10)).toEqual(before);
      expect((await verify()).problem).toBeUndefined();
    });

    it('form one chain if several instances seal while entries are added and removed', async () => {
      const sealers = [context.store, context.other].flatMap((store) => [
        createSealer(store),
        createSealer(store),
      ]);
      for (let round = 0; round < 10; round += 1) {
        await Promise.all([
          ...sealers.map((seal) => seal()),
          ...[context.store, context.other].map((store, index) =>
            store.recordAudit([{ at: AT + round, kind: 'client_refused', reason: `${index}` }]),
          ),
          sweepAudit({ store: context.store, chain }, AT + round - 3, 3),
          verify().then(({ problem }) => expect(problem).toBeUndefined()),
        ]);
      }
      await sealAll();
      expect(await verify(await getHead())).toMatchObject({ unsealed: 0, head: 'included' });
    });

    // S449
    it('cover an entry that another instance did not see when it added the seal', async () => {
      await insertAt(1);
      await insertAt(2);
      const earlier: Store = {
        ...context.other,
        listAuditLines: async (ranges, limit) =>
          (await context.other.listAuditLines(ranges, limit)).filter(({ position }) => position === 1),
      };
      const seal = createSealer({
        ...context.store,
        addSeal: async (added) => {
          if (added.number === 1) await createSealer(earlier)();
          return await context.store.addSeal(added);
        },
      });
      await sealAll(seal);
      expect(await verify()).toEqual({ seals: 2, entries: 2, unsealed: 0 });
    });

    /** Writes 35 entries with a seal each, and removes the entries, so that retention may remove all seals but the newest. */
    const fillRemovable = async () => {
      const seal = createSealer();
      for (let position = 1; position <= 35; position += 1) {
        await insertAt(position, AT + position);
        await seal();
      }
      expect(await sweepAudit({ store: context.store, chain }, AT + 99, 100)).toBe(35);
    };

    // S449
    it('are removed by two instances at the same time', async () => {
      await fillRemovable();
      let reads = 0;
      const store: Store = {
        ...context.store,
        readAuditRetention: async () => {
          const retention = await context.store.readAuditRetention();
          reads += 1;
          if (reads === 1) expect(await sweepAudit({ store: context.other, chain }, AT + 99, 100)).toBe(10);
          return retention;
        },
      };
      expect(await sweepAudit({ store, chain }, AT + 99, 100)).toBe(10);
      expect(await verify()).toEqual({ seals: 15, entries: 0, unsealed: 0 });
    });

    // S449
    it('are verified while an instance removes several of them between two reads', async () => {
      await fillRemovable();
      const remove = async () => await sweepAudit({ store: context.other, chain }, AT + 99, 100);
      let reads = 0;
      const store: Store = {
        ...context.store,
        listSeals: async (after, limit) => {
          reads += 1;
          if (reads > 1) return await context.store.listSeals(after, limit);
          expect(await remove()).toBe(10);
          const found = await context.store.listSeals(after, limit);
          expect(await remove()).toBe(10);
          return found;
        },
      };
      expect(await verifyAudit({ store, chain, clock })).toEqual({ seals: 15, entries: 0, unsealed: 0 });
    });

    // S449
    it('detect by a head that the log was replaced, also if an instance removes the seals before it meanwhile', async () => {
      await fillRemovable();
      const content = { position: 10, entries: 10, at: AT, gaps: '[]', lines: '[]' };
      const head = chain.seal({ number: 9, position: 9, entries: 9, hash: 'of another log' }, content);
      let reads = 0;
      const store: Store = {
        ...context.store,
        listSeals: async (after, limit) => {
          reads += 1;
          if (reads === 1) expect(await sweepAudit({ store: context.other, chain }, AT + 99, 100)).toBe(10);
          return await context.store.listSeals(after, limit);
        },
      };
      const { problem } = await verifyAudit({ store, chain, clock }, head);
      expect(problem).toEqual({ kind: 'log_replaced', position: 1 });
    });

    it('are written, verified and removed without full table scans', async () => {
      await fill();
      await verify(await getHead());
      // Removes entries, then the seals without remaining entries.
      while ((await sweepAudit({ store: context.store, chain }, AT + 7, 2)) > 0);
      capture.stop();
      await context.store.seedOnce({
        applications: [
          {
            ...{ clientId: 'client', name: 'C', organizationId: 'o', redirectUris: [], scopes: [] },
            idTokenAlgorithm: 'ES256',
            createdAt: AT,
          },
        ],
        people: [],
      });
      await fillGrowingTables(context.database, 'client');
      expect(await findPlanFaults(context.database, capture.statements(), 'client')).toEqual([]);
    });

    it.each(TAMPERINGS)('detect, with a head, the tampering `%s` with random logs', async (what) => {
      await fc.assert(
        fc.asyncProperty(randomLogs, tamperings, async (log, tampering) => {
          clock.moveTo(AT);
          await empty();
          await write(log);
          const head = await getHead();
          expect((await verify(head)).problem).toBeUndefined();
          await tamper(...(await statementsOf({ ...tampering, what }, head)));
          // At the same instant, a deleted seal of unchanged entries would be recreated identically, and there would be nothing to detect.
          clock.moveTo(AT + 1);
          if (tampering.sealedAgain) await createSealer()().catch(() => undefined);
          const { problem } = await verify(head);
          expect(problem).toBeDefined();
        }),
        { seed: SEED, numRuns: Math.ceil(runs / TAMPERINGS.length) },
      );
    });

    it('detect a late entry in a closed gap, also if a column of the last seal was forged while the service sealed, and restored afterwards', async () => {
      await fc.assert(
        fc.asyncProperty(
          randomLogs,
          gapForgeries,
          async (log, { skipped, column, since, widened, latePosition }) => {
            clock.moveTo(AT);
            await empty();
            const last = await write(log);
            const next = last + skipped + 1;
            await insertAt(next);
            await sealAll();
            const head = await getHead();
            const genuine = (await context.store.findLastSeal()) ?? expect.unreachable();
            const forged = JSON.stringify([[last + 1 - widened, next - 1 + widened, since]]);
            const forgeries = {
              gaps: `gaps = '${forged}'`,
              sealed_at: `sealed_at = ${since}`,
              position: `position = ${last}`,
              last_at: `last_at = ${since}`,
            };
            await tamper(`update audit_seal set ${forgeries[column]} where number = ${genuine.number}`);
            await insertAt(next + 1);
            await createSealer()().catch(() => undefined);
            await tamper(
              `update audit_seal set gaps = '${genuine.gaps}', sealed_at = ${genuine.at}, position = ${genuine.position}, last_at = ${genuine.lastAt} where number = ${genuine.number}`,
            );
            for (const minutes of [11, 12]) {
              clock.moveTo(AT + minutes * MINUTE_MS);
              await insertAt(next + minutes, AT + minutes * MINUTE_MS);
              await createSealer()().catch(() => undefined);
            }
            expect((await verify(head)).problem).toBeUndefined();
            const late = last + 1 + (latePosition % skipped);
            await insertAt(late, AT + last, 'forged');
            await insertAt(next + 13, AT + 12 * MINUTE_MS);
            await createSealer()().catch(() => undefined);
            expect((await verify(head)).problem).toEqual({ kind: 'entry_inserted', position: late });
          },
        ),
        { seed: SEED, numRuns: Math.ceil(runs / 3) },
      );
    });

    const write = async (log: RandomLog) => {
      let position = 0;
      const seal = createSealer();
      for (const { skipped, count } of log) {
        position += skipped;
        for (let index = 0; index < count; index += 1) {
          position += 1;
          await insertAt(position, AT + position, `reason-${position}`);
        }
        await seal();
      }
      return position;
    };

    const statementsOf = async (
      { what, where, other }: Tampering,
      head: AuditHead,
    ): Promise<readonly string[]> => {
      const lines = await context.store.listAuditLines([{}], 1_000);
      const positions = lines.map(({ position }) => position);
      const one = positions[where % positions.length] ?? 0;
      const two = positions.filter((position) => position !== one)[other % (positions.length - 1)] ?? 0;
      const number = (where % head.number) + 1;
      switch (what) {
        case 'change':
          return [`update audit_entry set reason = 'forged-${other}' where position = ${one}`];
        case 'remove':
          return [`delete from audit_entry where position = ${one}`];
        case 'insert':
          return [
            `insert into audit_entry (position, at, kind) ${context.overriding} values (${-other}, ${AT}, 'client_refused')`,
          ];
        case 'swap':
          return [
            `update audit_entry set at = case position when ${one} then ${AT + two} else ${AT + one} end, reason = case position when ${one} then 'reason-${two}' else 'reason-${one}' end where position in (${one}, ${two})`,
          ];
        case 'truncate':
          return [
            `delete from audit_entry where position >= ${one}`,
            `delete from audit_seal where position >= ${one}`,
          ];
        case 'advance_retention':
          return [
            `update audit_retention set kept_from = ${AT + one + 1}`,
            `delete from audit_entry where at < ${AT + one + 1}`,
          ];
        case 'remove_seal':
          return [`delete from audit_seal where number = ${number}`];
        case 'change_seal':
          return [`update audit_seal set lines = '[]' where number = ${number}`];
        case 'rewrite':
          return [
            `delete from audit_seal`,
            `update audit_entry set reason = 'forged' where position = ${one}`,
          ];
      }
    };
  });
}

type RandomLog = readonly { readonly skipped: number; readonly count: number }[];

/** Sealed runs of entries with skipped positions between them. */
const randomLogs: fc.Arbitrary<RandomLog> = fc.array(
  fc.record({ skipped: fc.nat({ max: 2 }), count: fc.integer({ min: 1, max: 6 }) }),
  { minLength: 2, maxLength: 5 },
);

/** A number of skipped positions, and the forgery in the seal that records their gap. */
const gapForgeries = fc.record({
  skipped: fc.integer({ min: 1, max: 1_000 }),
  column: fc.constantFrom('gaps' as const, 'sealed_at' as const, 'position' as const, 'last_at' as const),
  since: fc.constantFrom(AT + 1, AT + 60 * MINUTE_MS, 9_000_000_000_000),
  widened: fc.nat({ max: 1 }),
  /** Selects the skipped position at which the late entry is inserted. */
  latePosition: fc.nat({ max: 1_000 }),
});

const TAMPERINGS = [
  'change',
  'remove',
  'insert',
  'swap',
  'truncate',
  'advance_retention',
  'remove_seal',
  'change_seal',
  'rewrite',
] as const;

interface Tampering {
  readonly what: (typeof TAMPERINGS)[number];
  readonly where: number;
  readonly other: number;
  /** Whether the service seals the remaining entries after the tampering. */
  readonly sealedAgain: boolean;
}

const tamperings: fc.Arbitrary<Omit<Tampering, 'what'>> = fc.record({
  where: fc.nat({ max: 1_000 }),
  other: fc.nat({ max: 1_000 }),
  sealedAgain: fc.boolean(),
});
