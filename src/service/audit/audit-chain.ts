/**
 * The chain of seals over the audit log: what each seal covers, and how it is authenticated.
 *
 * Hashes are plain SHA-256, so that anyone can recompute them; MACs are under a key of the deployment, so that write access to the database is not
 * enough to make a chain.
 */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Digest, Random } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import { createOpaqueToken } from '../tokens/opaque-token.js';
import type { AuditHead, AuditLine, AuditRetention, AuditSeal, PositionRange } from './audit-trail.js';

/** Thrown when the chain in the store is not genuine. Nothing may then be added to it or removed from it. */
export class AuditChainError extends Error {
  override readonly name = 'AuditChainError';
  /** For the log, which shows no messages. */
  readonly code = 'AUDIT_CHAIN';
}

/** A sealed entry: its position, its instant, and the SHA-256 of its canonical text. */
export type SealedLine = readonly [position: number, at: number, hash: string];

/** A range of skipped positions, and the instant at which the gap was detected. */
export type Gap = readonly [from: number, to: number, since: number];

/** What the next seal continues from: the last seal, or the last that retention removed. */
export type ChainLink = Pick<AuditHead, 'number' | 'position' | 'entries' | 'hash'>;

/** Hashes and authenticates the records of the chain. */
export interface AuditChain {
  hashLine(line: AuditLine): SealedLine;
  seal(
    previous: ChainLink,
    content: Pick<AuditSeal, 'position' | 'entries' | 'at' | 'gaps' | 'lines'>,
  ): AuditHead;
  /** Whether a seal follows another, with each of its columns as it was sealed. Nothing of a seal may be used before this is checked. */
  follows(previous: ChainLink, seal: AuditSeal): boolean;
  /** Whether this service made a head. */
  isGenuine(head: AuditHead): boolean;
  /** HMAC of the instant from which entries are kept. */
  keptFromMac(keptFrom: number): string;
  /** The text of a chain's start. */
  writeStart(link: ChainLink): string;
  /** Where the chain starts; `undefined` where the text is not genuine. */
  readStart(retention: AuditRetention): ChainLink | undefined;
  /** The instant from which entries are kept; `undefined` where it is not genuine. */
  readKeptFrom(retention: AuditRetention): number | undefined;
}

const AUDIT_KEY = 'audit-key';

/** The link before the first seal. */
const GENESIS: ChainLink = { number: 0, position: 0, entries: 0, hash: '' };

/** @param key - The audit key: see {@link getAuditKey}. */
export function createAuditChain(key: string, digest: Digest): AuditChain {
  const mac = (purpose: string, ...values: readonly (string | number)[]) =>
    digest.hmacSha256(key, JSON.stringify([`proviso audit ${purpose} 1`, ...values]));
  const headMac = ({ number, position, entries, at, hash }: Omit<AuditHead, 'mac'>) =>
    mac('head', number, position, entries, at, hash);
  const startMac = ({ number, position, entries, hash }: ChainLink) =>
    mac('start', number, position, entries, hash);
  const isGenuine = (head: AuditHead) => digest.equal(head.mac, headMac(head));
  const hashOf = (
    previous: ChainLink,
    { number, position, entries, at, gaps, lines }: Omit<AuditSeal, 'hash' | 'mac' | 'lastAt'>,
  ) =>
    digest.sha256(
      JSON.stringify(['proviso audit seal 1', previous.hash, number, position, entries, at, gaps, lines]),
    );
  return {
    hashLine: ({ position, at, text }) => [position, at, digest.sha256(text)],
    seal: (previous, content) => {
      const { position, entries, at } = content;
      const number = previous.number + 1;
      const head = { number, position, entries, at, hash: hashOf(previous, { ...content, number }) };
      return { ...head, mac: headMac(head) };
    },
    follows: (previous, seal) =>
      seal.number === previous.number + 1 &&
      isGenuine(seal) &&
      seal.hash === hashOf(previous, seal) &&
      seal.lastAt === newestInstant(parseLines(seal)),
    isGenuine,
    keptFromMac: (keptFrom) => mac('kept from', keptFrom),
    writeStart: ({ number, position, entries, hash }) => {
      const link = { number, position, entries, hash };
      return JSON.stringify({ ...link, mac: startMac(link) });
    },
    readStart: ({ start }) => {
      if (start === undefined) return GENESIS;
      const link = parseStart(start);
      return link !== undefined && digest.equal(link.mac, startMac(link)) ? link : undefined;
    },
    readKeptFrom: ({ keptFrom, mac: found }) => {
      // Nothing that a seal covers was removed yet.
      if (found === undefined) return 0;
      return digest.equal(found, mac('kept from', keptFrom)) ? keptFrom : undefined;
    },
  };
}

/**
 * Derives the audit key from the deployment's key; without one, gets a random key from the store, or creates it there.
 *
 * @param key - The deployment's key.
 */
export async function getAuditKey(
  {
    store,
    random,
    digest,
  }: { readonly store: Pick<Store, 'getOrCreateSecret'>; random: Random; digest: Digest },
  key: string | undefined,
): Promise<string> {
  if (key !== undefined) return digest.hmacSha256(key, AUDIT_KEY);
  return await store.getOrCreateSecret(AUDIT_KEY, createOpaqueToken(random, digest).token);
}

/** Parses the lines of a seal whose hash was checked. */
export function parseLines(seal: Pick<AuditSeal, 'lines'>): readonly SealedLine[] {
  return JSON.parse(seal.lines) as readonly SealedLine[];
}

/** Parses the gaps of a seal whose hash was checked. */
export function parseGaps(seal: Pick<AuditSeal, 'gaps'>): readonly Gap[] {
  return JSON.parse(seal.gaps) as readonly Gap[];
}

/** Returns the newest instant among lines: a seal's `lastAt`, which the hash covers as a part of its lines; 0 without lines. */
export function newestInstant(lines: readonly SealedLine[]): number {
  return Math.max(0, ...lines.map(([, at]) => at));
}

/**
 * A skipped position may belong to a transaction that has not committed yet, and no transaction of the service lasts this long. A gap that is
 * as old as this is closed by the next seal.
 */
const GAP_CLOSES_AFTER_MS = 600_000;

/** Whether a seal that is made at an instant must keep a gap open. */
export function isGapOpen([, , since]: Gap, at: number): boolean {
  return since + GAP_CLOSES_AFTER_MS > at;
}

/** Reads all lines of some ranges, in order of position. */
export async function* readLines(
  store: Pick<Store, 'listAuditLines'>,
  ranges: readonly PositionRange[],
): AsyncIterable<readonly AuditLine[]> {
  let left = ranges;
  while (left.length > 0) {
    const lines = await store.listAuditLines(left, LINES_PER_READ);
    if (lines.length > 0) yield lines;
    const last = lines.at(-1);
    if (last === undefined || lines.length < LINES_PER_READ) return;
    left = left.flatMap((range) => rangeAfter(range, last.position));
  }
}

const LINES_PER_READ = 1_000;

function rangeAfter({ from, to }: PositionRange, position: number): readonly PositionRange[] {
  if (to !== undefined && to <= position) return [];
  const next = from === undefined ? position + 1 : Math.max(from, position + 1);
  return [{ from: next, ...omitUndefined({ to }) }];
}

function parseStart(text: string): (ChainLink & { readonly mac: string }) | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    // Every member is covered by the MAC, which the caller checks before it uses one.
    if (typeof parsed === 'object' && parsed !== null && 'mac' in parsed && typeof parsed.mac === 'string')
      return parsed as ChainLink & { readonly mac: string };
  } catch {
    // Malformed text is treated like an invalid MAC.
  }
  return undefined;
}
