/** A generated module in a page whose Content-Security-Policy forbids inline scripts and code from strings. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WORKLOADS } from '../../bench/scenarios/workloads.js';
import { generateModule } from '../../src/codegen/index.js';
import { ClaimSet, compilePredicate, re2js } from '../../src/index.js';
import { describeInBrowser, openBrowser, openVisit } from '../support/browser.js';

const NOW = Date.UTC(2026, 5, 1);
const RECORD = { 'identity.age': 34, 'kyc.level': 'basic', 'kyc.passed': true };
const FILES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['text/html', '<!doctype html><title>waiting</title><script type="module" src="main.js"></script>'],
  '/main.js': [
    'text/javascript',
    `import { evaluate } from './policy.js'; document.title = JSON.stringify(evaluate(${JSON.stringify(RECORD)}, { now: ${NOW} }));`,
  ],
  '/policy.js': ['text/javascript', generateModule(WORKLOADS.six.query, { evidence: true }).code],
};

let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const [type, text] = FILES[request.url ?? ''] ?? ['text/plain', ''];
    response.setHeader('Content-Type', `${type}; charset=utf-8`);
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'",
    );
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => void server.close());

describeInBrowser('a generated module', () => {
  it('returns the result of the engine, with evidence, under a strict Content-Security-Policy', async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const browser = await openBrowser();
    try {
      const { page, problems } = await openVisit(browser, { origins: [origin] });
      await page.goto(`${origin}/`);
      await expect.poll(() => page.title()).not.toBe('waiting');
      const engine = compilePredicate(WORKLOADS.six.query, { catalogue: 'none', regex: re2js });
      expect(await page.title()).toBe(engine.evaluateToJson(ClaimSet.of(RECORD, { now: NOW })));
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
