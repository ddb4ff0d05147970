/** `GET /`: a landing page for browsers, and a 404 for other clients. */
import { expect, it } from 'vitest';
import { startService } from '../support/start-service.js';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

it('shows browsers a landing page whose links lead to pages and documents, and responds to other clients with a 404 in JSON', async () => {
  const playground = { page: '<!doctype html><title>Playground</title>', assets: new Map() };
  const started = await startService({ listener: { playground } });
  const { origin } = new URL(started.url);
  const response = await fetch(`${origin}/`, { headers: BROWSER });
  expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'Accept, Accept-Language',
  ]);
  const text = await response.text();
  expect(text).toContain('This is a sandbox');
  const links = [...text.matchAll(/class="choice" href="([^"]+)"/g)].map(([, path]) => path);
  expect(links).toEqual([
    '/playground',
    '/grants',
    '/v2/.well-known/openid-configuration',
    '/v2/openapi.json',
  ]);
  for (const path of links) expect((await fetch(`${origin}${path}`)).status).toBe(200);
  for (const headers of [{}, { Accept: 'application/json' }]) {
    const other = await fetch(`${origin}/`, { headers });
    expect([other.status, await other.json()]).toMatchObject([404, { error: 'not_found' }]);
  }
  const posted = await fetch(`${origin}/`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  await started.stop();
});

it('the landing page does not link to a playground that is not served', async () => {
  const started = await startService();
  const response = await fetch(`${new URL(started.url).origin}/`, { headers: BROWSER });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toContain('This is a sandbox');
  expect(text).not.toContain('/playground');
  await started.stop();
});
