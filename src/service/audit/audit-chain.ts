/**
 * The chain of seals over the audit log: what each seal covers, and how it is authenticated.
 *
 * Hashes are plain SHA-256, so that anyone can recompute them; MACs use a key of the deployment, so that write access to the database is not
 * enough to forge a chain.
 */
import { omitUndefined } from '../../util/omit-undefined.js';
import { ProvisoError } from '../../util/proviso-error.js';
import type { Digest, Random } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import { createOpaqueToken } from '../tokens/opaque-token.js';
import type { AuditHead, AuditLine, AuditRetention, AuditSeal, PositionRange } from './audit-trail.js';

/** Thrown when the chain in the store is not genuine. The chain must then not be extended or pruned. */
export class AuditChainError extends ProvisoError<'AUDIT_CHAIN'> {
  override readonly name = 'AuditChainError';

  constructor(message: string) {
    super('AUDIT_CHAIN', message);
  }
}

/** A sealed entry: its position, its instant, and the SHA-256 of its canonical text. */
export type SealedLine = readonly [position: number, at: number, hash: string];

/** A range of skipped positions, and the instant at which the gap was detected. */
export type Gap = readonly [from: number, to: number, since: number];

/** The seal that the next one continues: the last seal, or the last seal that retention removed. */
export type ChainLink = Pick<AuditHead, 'number' | 'position' | 'entries' | 'hash'>;

/** Hashes and authenticates the records of the chain. */
export interface AuditChain {
  hashLine(line: AuditLine): SealedLine;
  seal(
    previous: ChainLink,
    content: Pick<AuditSeal, 'position' | 'entries' | 'at' | 'gaps' | 'lines'>,
  ): AuditHead;
  /** Whether a seal follows another and is unchanged. No column of a seal may be used before this check. */
  follows(previous: ChainLink, seal: AuditSeal): boolean;
  /** Whether a head was made with the audit key. */
  isGenuine(head: AuditHead): boolean;
  /** Returns the HMAC of the instant from which entries are kept. */
  keptFromMac(keptFrom: number): string;
  /** Encodes the start of a chain, with its HMAC. */
  encodeStart(link: ChainLink): string;
  /** Returns the start of the chain; `undefined` if it is not genuine. */
  decodeStart(retention: AuditRetention): ChainLink | undefined;
  /** Returns the instant from which entries are kept; `undefined` if it is not genuine. */
  verifyKeptFrom(retention: AuditRetention): number | undefined;
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
    encodeStart: ({ number, position, entries, hash }) => {
      const link = { number, position, entries, hash };
      return JSON.stringify({ ...link, mac: startMac(link) });
    },
    decodeStart: ({ start }) => {
      if (start === undefined) return GENESIS;
      const link = parseStart(start);
      return link !== undefined && digest.equal(link.mac, startMac(link)) ? link : undefined;
    },
    verifyKeptFrom: ({ keptFrom, mac: stored }) => {
      // Retention has removed no entry yet.
      if (stored === undefined) return 0;
      return digest.equal(stored, mac('kept from', keptFrom)) ? keptFrom : undefined;
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

/** Returns the newest instant among lines, which is the `lastAt` of their seal; 0 without lines. */
export function newestInstant(lines: readonly SealedLine[]): number {
  return Math.max(0, ...lines.map(([, at]) => at));
}

/**
 * Age at which a gap is closed by the next seal. A skipped position may belong to a transaction that has not committed yet, but no transaction
 * of the service lasts this long.
 */
const GAP_CLOSES_AFTER_MS = 600_000;

/** Whether a gap is still open at an instant. */
export function isGapOpen([, , since]: Gap, at: number): boolean {
  return since + GAP_CLOSES_AFTER_MS > at;
}

/** Reads all lines of ranges, in order of position. */
export async function* readLines(
  store: Pick<Store, 'listAuditLines'>,
  ranges: readonly PositionRange[],
): AsyncIterable<readonly AuditLine[]> {
  let remaining = ranges;
  while (remaining.length > 0) {
    const lines = await store.listAuditLines(remaining, LINES_PER_READ);
    if (lines.length > 0) yield lines;
    const last = lines.at(-1);
    if (last === undefined || lines.length < LINES_PER_READ) return;
    remaining = remaining.flatMap((range) => rangeAfter(range, last.position));
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
    // The caller checks the MAC, which covers every other member, before it uses a member.
    if (typeof parsed === 'object' && parsed !== null && 'mac' in parsed && typeof parsed.mac === 'string')
      return parsed as ChainLink & { readonly mac: string };
  } catch {
    // Malformed text is treated like an invalid MAC.
  }
  return undefined;
}
