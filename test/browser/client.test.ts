/** The client in a browser at another origin: it can use what the service's CORS headers allow (S22). */
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import type { ClientSettings, Tokens } from '../../src/client/index.js';
import { describeInBrowser, openBrowser, openVisit } from '../support/browser.js';
import { startClientServer } from '../support/client-server.js';
import { PUBLIC } from '../support/oauth-client.js';
import { obtainAccess, publicClient } from '../support/package-client.js';
import { STARTED_AT, startService } from '../support/start-service.js';

const HOUR_MS = 3_600_000;

/** Bundles the client as a page's script. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['src/client/index.ts'],
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'proviso',
  });
  return outputFiles[0]?.text ?? '';
}

/** The type of tokens without `conditions`, whose recursive type the types of Playwright's `evaluate` do not support. */
type Scoped = Omit<Tokens, 'conditions'>;

/** Uses the client in the page. */
async function useClient({ tokens, now, ...settings }: ClientSettings & { tokens: Scoped; now: number }) {
  const { proviso } = globalThis as unknown as { proviso: typeof import('../../src/client/index.js') };
  const client = proviso.createClient({ ...settings, clock: { now: () => now } });
  const access = client.access(proviso.inMemoryTokens(tokens));
  const { sub } = await access.userInfo();
  const evaluation = await access.evaluate({ check: { claim: 'kyc.passed', operator: '==', value: true } });
  const preset = await access.preset('kyc_level');
  const { errors } = await access.presets(['legal_name']);
  const presets = await client.presets();
  const refusal = await access.preset('nothing').catch((error: unknown) => error);
  const { code, status, requestId } = refusal as InstanceType<typeof proviso.ClientError>;
  // `/credentials` allows no other origin.
  const credentialsError = await access.credentials().catch((error: unknown) => error);
  const tokensAfter = await access.tokens();
  const revoked = await access.revoke();
  return {
    sub,
    passed: evaluation.passed,
    preset: preset.value,
    error: errors[0]?.error.error,
    listed: presets.length > 0,
    refusal: [code, status, typeof requestId],
    unreadable: (credentialsError as InstanceType<typeof proviso.ClientError>).code,
    replaced: tokensAfter?.refreshToken !== tokens.refreshToken,
    revoked: revoked?.revoked,
  };
}

describeInBrowser('the client in a browser', () => {
  // S22
  it('refreshes tokens, sends queries, reads errors and revokes from another origin', async () => {
    const [browser, started, client] = await Promise.all([
      openBrowser(),
      startService(),
      startClientServer(),
    ]);
    const tokens: Scoped | undefined = await (
      await obtainAccess(publicClient(started), ['openid', 'kyc:read', 'data.read'])
    ).tokens();
    if (tokens === undefined) throw new Error('the client must have tokens');
    started.clock.moveTo(STARTED_AT + HOUR_MS);
    const { page } = await openVisit(browser, { origins: [client.origin, new URL(started.url).origin] });
    await page.goto(client.origin);
    await page.addScriptTag({ content: await bundle() });
    const { clientId } = PUBLIC;
    const settings = { issuer: started.url, clientId, redirectUri: client.redirectUri };
    expect(await page.evaluate(useClient, { ...settings, tokens, now: started.clock.now() })).toEqual({
      sub: tokens.subject,
      passed: true,
      preset: 'enhanced',
      error: 'insufficient_scope',
      listed: true,
      refusal: ['preset_not_found', 404, 'string'],
      unreadable: 'network_failed',
      replaced: true,
      revoked: true,
    });
    await browser.close();
    await client.stop();
    await started.stop();
  });
});
