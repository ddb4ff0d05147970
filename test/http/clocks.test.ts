/** Clocks that jump back, and instances with different clocks (S192). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { re2js } from '../../src/regex/re2js.js';
import { createService, SANDBOX, type Service } from '../../src/service/index.js';
import { systemCredentialVerifier } from '../../src/system/credential-verifier/credential-verifier.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { systemSigner } from '../../src/system/signer.js';
import { createFixedClock, type FixedClock } from '../support/fixed-clock.js';
import {
  approve,
  begin,
  isTokenValid,
  logIn,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from '../support/oauth-client.js';
import { createSeededRandom } from '../support/seeded-random.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const HOUR_MS = 3_600_000;
const CLOCK_OFFSET_MS = 5_000;

let started: StartedService;

beforeEach(async () => {
  started = await startService();
});

afterEach(() => started.stop());

describe('a clock that jumps back', () => {
  // S192
  it('revives no code, token or request that was ended before the jump', async () => {
    const used = await begin(started);
    const usedCode = await approve(started, used);
    expect((await postJson(started, '/oauth/token', redemption(used, usedCode))).status).toBe(200);
    const pending = await begin(started);
    const code = await approve(started, pending);
    const redeemed = await postJson(started, '/oauth/token', redemption(pending, code));
    const first = (await redeemed.json()) as Tokens;
    const second = (await (await refresh(started, first.refresh_token)).json()) as Tokens;
    const revoked = await logIn(started);
    await postJson(started, '/oauth/revoke', { token: revoked.refresh_token });
    const denied = await begin(started);
    await postJson(started, '/oauth/authorize/deny', { authorization_id: denied.authorizationId });
    started.clock.moveTo(STARTED_AT - HOUR_MS);
    expect(await isTokenValid(started, second.access_token)).toBe(true);
    const responses = [
      await postJson(started, '/oauth/token', redemption(used, usedCode)),
      await refresh(started, revoked.refresh_token),
      await postJson(started, '/oauth/authorize/approve', { authorization_id: denied.authorizationId }),
      await postJson(started, '/oauth/authorize/approve', { authorization_id: pending.authorizationId }),
      // A replayed refresh token ends the grant, whatever the clock says.
      await refresh(started, first.refresh_token),
      await refresh(started, second.refresh_token),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 409, 409, 400, 400]);
    expect([
      await isTokenValid(started, revoked.access_token),
      await isTokenValid(started, second.access_token),
    ]).toEqual([false, false]);
    started.clock.moveTo(STARTED_AT + 2 * HOUR_MS);
    expect((await refresh(started, second.refresh_token)).status).toBe(400);
  });
});

describe('instances whose clocks are five seconds apart', () => {
  let ahead: Service;
  let aheadClock: FixedClock;

  beforeEach(async () => {
    aheadClock = createFixedClock(STARTED_AT + CLOCK_OFFSET_MS);
    const ports = {
      store: started.store,
      clock: aheadClock,
      random: createSeededRandom('ahead'),
      digest: systemDigest,
      signer: systemSigner,
      verifier: systemCredentialVerifier,
      regex: re2js,
    };
    ahead = await createService(ports, SANDBOX, started.service.settings);
  });

  async function isValidAt(service: Service, token: string): Promise<boolean> {
    return await service.tokens.authenticate(token).then(
      () => true,
      () => false,
    );
  }

  // S192
  it('accept a token and a code that the other instance has just issued', async () => {
    const fromAhead = await ahead.tokens.issueSandboxToken('ada', ['openid']);
    const fromBehind = await started.token('ada', 'openid');
    expect([await isValidAt(started.service, fromAhead), await isValidAt(ahead, fromBehind)]).toEqual([
      true,
      true,
    ]);
    const pending = await begin(started);
    const detail = await ahead.authorizations.get(pending.authorizationId);
    const { code } = await ahead.authorizations.approveOnBehalf(detail, {});
    expect((await postJson(started, '/oauth/token', redemption(pending, code))).status).toBe(200);
  });

  // S192
  it('extend no lifetime by more than these five seconds', async () => {
    const token = await ahead.tokens.issueSandboxToken('ada', ['openid']);
    const end = STARTED_AT + CLOCK_OFFSET_MS + HOUR_MS;
    aheadClock.moveTo(end - 1);
    started.clock.moveTo(end - 1 - CLOCK_OFFSET_MS);
    expect([await isValidAt(ahead, token), await isValidAt(started.service, token)]).toEqual([true, true]);
    aheadClock.moveTo(end);
    started.clock.moveTo(end - CLOCK_OFFSET_MS);
    expect([await isValidAt(ahead, token), await isValidAt(started.service, token)]).toEqual([false, true]);
    started.clock.moveTo(end);
    expect(await isValidAt(started.service, token)).toBe(false);
  });
});
