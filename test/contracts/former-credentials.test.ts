/** Credentials from before ids were derived from issuer and signed content: they keep their ids, and are not ingested again (V13, V18). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, expect, it } from 'vitest';
import { re2js } from '../../src/regex/re2js.js';
import { createService, createSettings, SANDBOX, ServiceError } from '../../src/service/index.js';
import { openSqliteStore } from '../../src/stores/sqlite/index.js';
import { systemPorts } from '../../src/system/index.js';
import {
  createKey,
  jwtVc,
  malleated,
  sdJwtPayload,
  sdJwtVc,
  sha256,
  trustedIssuer,
  vcPayload,
} from '../support/credential-issuer.js';

const FOLDER = new URL('../../src/stores/migrations/', import.meta.url);
const ISSUER = 'https://issuer.example';
const folder = mkdtempSync(join(tmpdir(), 'proviso-former-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a store as the version before the migration left it. */
function writeFormerStore(path: string, credentialIds: readonly string[]): void {
  const names = readdirSync(FOLDER).filter((name) => !name.includes('.postgres.') && name < '0012');
  const file = new Libsql(path);
  for (const name of names.sort()) file.exec(readFileSync(new URL(name, FOLDER), 'utf8'));
  file.exec(`CREATE TABLE schema_version (version BIGINT NOT NULL);
    INSERT INTO schema_version VALUES (${names.length});
    INSERT INTO person (id, name, about) VALUES ('p', 'former', '')`);
  for (const id of credentialIds) {
    file.exec(`INSERT INTO credential (id, person_id, source, issued_at, revoked_at, claims, updated_at)
      VALUES ('${id}', 'p', 'Issuer', 1, 2, '{}', 2)`);
  }
  file.close();
}

it('recognizes revoked credentials of a store from before the migration, with and without jti', async () => {
  const key = createKey();
  const named = jwtVc(vcPayload(ISSUER, { jti: 'urn:uuid:former' }), key);
  const unnamed = sdJwtVc(sdJwtPayload(ISSUER), key, { level: 'basic' });
  const path = join(folder, 'store.sqlite');
  writeFormerStore(path, ['urn:uuid:former', sha256(unnamed)]);
  const store = await openSqliteStore(path);
  const service = await createService(
    { ...systemPorts, store, regex: re2js },
    SANDBOX,
    createSettings('http://127.0.0.1:1/v2'),
    { issuers: [trustedIssuer(ISSUER, key)] },
  );
  const person = { by: 'id', value: 'former' } as const;
  const ingest = (format: 'jwt_vc_json' | 'dc+sd-jwt', credential: string) =>
    service.ingestCredential({ person, format, credential });
  for (const [format, text] of [
    ['jwt_vc_json', named],
    ['jwt_vc_json', malleated(named)],
    ['dc+sd-jwt', unnamed],
  ] as const) {
    const error = await ingest(format, text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).context.problems).toMatchObject([{ code: 'id_repeated' }]);
  }
  expect((await service.revokeCredential('urn:uuid:former')).status).toBe('revoked');
  const other = jwtVc(vcPayload(ISSUER, { jti: 'urn:uuid:later' }), key);
  expect((await ingest('jwt_vc_json', other)).status).toBe('active');
  await store.close();
});
