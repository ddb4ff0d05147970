/** Checks the tables of a store: schema, integrity, signing keys, encryption, and what the expiry sweeper left. */
import {
  EXPIRED_TOKEN_RETENTION_MS,
  ID_TOKEN_ALGORITHMS,
  signingKeyAt,
  TRANSIENT_RETENTION_MS,
} from '../../service/index.js';
import type { SchemaStatus, StoreInspection } from '../../stores/sqlite/index.js';
import { systemRandom } from '../../system/node-ports.js';
import { createValueCipher } from '../../system/value-cipher.js';
import { MS_PER_DAY } from '../../util/time.js';
import type { Configuration } from '../configuration/settings.js';
import { type Finding, findingsAbout } from './finding.js';

const MS_PER_HOUR = 3_600_000;
/** How long an overdue row may remain. The sweeper runs each minute. */
const SWEPT_WITHIN_MS = MS_PER_HOUR;
/** After this time, a signing key should be replaced. */
const SIGNING_KEY_DAYS = 180;

/** Compares the schema with that of this program. */
export function checkSchema({ found, newest }: SchemaStatus): Finding {
  const { ok, warn } = findingsAbout('schema');
  if (found === newest) return ok(`version ${found}, the newest`);
  if (found === 0)
    return warn('the store does not exist yet', '`proviso serve` or `proviso migrate` creates it');
  if (found < newest)
    return warn(
      `version ${found} is older than that of this program, ${newest}`,
      '`proviso migrate` migrates it; `proviso serve` also does when it starts',
    );
  return warn(
    `version ${found} of a newer program, with which this one (${newest}) is compatible`,
    'run the newer program once the upgrade is complete',
  );
}

/** Reports faults of the file or server, and missing indexes. */
export async function checkIntegrity(store: StoreInspection): Promise<readonly Finding[]> {
  const { ok, warn, fail } = findingsAbout('integrity');
  const faults = await store.listFaults();
  const missing = await store.listMissingIndexes();
  const findings = faults.map((fault) =>
    fail(
      fault.split('\n').join(' '),
      'fix the cause; if the store is damaged, stop the service and restore a backup',
    ),
  );
  if (missing.length > 0)
    findings.push(
      warn(`indexes are missing or invalid: ${missing.join(', ')}`, 'restart an instance, which builds them'),
    );
  return findings.length > 0 ? findings : [ok('no fault found')];
}

/** Reports the age of the keys that sign ID tokens. */
export async function checkSigningKeys(store: StoreInspection, now: number): Promise<readonly Finding[]> {
  const { ok, warn } = findingsAbout('signing keys');
  const keys = await store.listSigningKeys();
  return ID_TOKEN_ALGORITHMS.map((algorithm) => {
    const key = signingKeyAt(keys, algorithm, now);
    if (key === undefined)
      return warn(`there is no ${algorithm} key`, '`proviso serve` creates it when it starts');
    if (key.signsFrom > now)
      return warn(
        `by the clock of this machine, each ${algorithm} key starts to sign in the future; the service signs with the first`,
        'set the clock, or wait',
      );
    const days = Math.floor((now - key.publishedAt) / MS_PER_DAY);
    const found = `the ${algorithm} key is ${days} ${days === 1 ? 'day' : 'days'} old`;
    return days > SIGNING_KEY_DAYS
      ? warn(found, `it should be replaced after ${SIGNING_KEY_DAYS} days: proviso keys rotate`)
      : ok(found);
  });
}

/** Reports values that are not encrypted with the first key, and keys that are missing, wrong or unused. */
export async function checkEncryption(
  store: StoreInspection,
  { environment, encryptionKeys, encryption }: Configuration,
): Promise<readonly Finding[]> {
  const { ok, warn, fail } = findingsAbout('encryption');
  const cipher = encryptionKeys === undefined ? undefined : createValueCipher(encryptionKeys, systemRandom);
  const { recorded, wrong, complete, plaintext, values, unknown } = await store.readEncryption(cipher);
  const given: readonly string[] = cipher?.keyIds ?? [];
  const missing = recorded.filter((id) => !given.includes(id));
  const findings = [
    ...missing.map((id) =>
      fail(
        `the store uses the key \`${id}\` (${count(values.get(id))}), which is not given`,
        'PROVISO_ENCRYPTION_KEYS must have every key that the store uses',
      ),
    ),
    ...wrong.map((id) =>
      fail(
        `the given key \`${id}\` is not the one that the store uses under this id`,
        'PROVISO_ENCRYPTION_KEYS must have the original key',
      ),
    ),
  ];
  if (unknown > 0)
    findings.push(
      recorded.length === 0
        ? fail(
            `${count(unknown)} encrypted, but the store records no encryption key`,
            'the store cannot be opened, and may have been tampered with: restore it from a backup',
          )
        : fail(
            `${count(unknown)} under a key that is neither given nor recorded by the store`,
            'PROVISO_ENCRYPTION_KEYS must have the key of these values below the first one: add it, and run `proviso encrypt`',
          ),
    );
  const [first] = given;
  if (first === undefined) {
    if (findings.length > 0) return findings;
    const found = `${count(plaintext)} in plaintext, no encryption key is given`;
    return environment === 'production'
      ? [warn(found, 'set PROVISO_ENCRYPTION_KEYS_FILE and run `proviso encrypt` to encrypt claims at rest')]
      : [ok(found)];
  }
  const remedy = 'run `proviso encrypt` after all instances were restarted with these keys';
  if (plaintext > 0)
    findings.push((encryption === 'required' ? fail : warn)(`${count(plaintext)} in plaintext`, remedy));
  for (const [id, under] of values) {
    if (id === first || under === 0 || missing.includes(id)) continue;
    findings.push(
      warn(
        `${count(under)} under the older key \`${id}\`, which must be kept until they are encrypted again`,
        remedy,
      ),
    );
  }
  const unused = given.slice(1).filter((id) => values.get(id) === 0 && !recorded.includes(id));
  if (unused.length > 0)
    findings.push(
      warn(
        `no value is encrypted with ${unused.map((id) => `\`${id}\``).join(', ')}`,
        'remove unused keys from PROVISO_ENCRYPTION_KEYS, except during a key rotation',
      ),
    );
  if (encryption === 'required' && !complete && plaintext === 0)
    findings.push(fail('the store does not record that it was encrypted completely', remedy));
  if (findings.length > 0) return findings;
  return [ok(`${count(values.get(first))} under the key \`${first}\`, none in plaintext`)];
}

/** Reports rows that the expiry sweeper should have removed. */
export async function checkExpired(store: StoreInspection, now: number): Promise<Finding> {
  const { ok, warn } = findingsAbout('expired rows');
  const overdue = await store.countExpired(
    now - EXPIRED_TOKEN_RETENTION_MS - SWEPT_WITHIN_MS,
    now - TRANSIENT_RETENTION_MS - SWEPT_WITHIN_MS,
  );
  return overdue === 0
    ? ok('none is overdue')
    : warn(
        `${overdue.toLocaleString('en')} ${overdue === 1 ? 'row' : 'rows'} should have been removed more than an hour ago`,
        'an instance must run to remove them; if one does, look for failures of the sweeper in its log',
      );
}

function count(values = 0): string {
  return values === 1 ? '1 value' : `${values.toLocaleString('en')} values`;
}
