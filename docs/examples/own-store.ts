/**
 * A custom store: a wrapper around the SQLite store that records the calls of a request, and reports those that take longer than a
 * second. A store of another kind implements the same port, `Store`; each sentence of the port's documentation is a requirement.
 *
 * Start: `npx tsx docs/examples/own-store.ts`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX, type Store } from 'proviso-server/service';
import { openSqliteStore } from 'proviso-server/sqlite';
import { embed } from './embed.js';

/** Wraps a store: every method of the port, present and future, passes through. */
function watched(store: Store, onCall: (method: string, ms: number) => void): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...parameters: unknown[]) => {
        const startedAt = performance.now();
        try {
          return await Reflect.apply(member, target, parameters);
        } finally {
          onCall(String(name), performance.now() - startedAt);
        }
      };
    },
  });
}

const folder = await mkdtemp(join(tmpdir(), 'proviso-own-store-'));
const calls: string[] = [];
const slow: string[] = [];
const store = watched(await openSqliteStore(join(folder, 'store.sqlite')), (method, ms) => {
  calls.push(method);
  if (ms > 1_000) slow.push(method);
});
const { url, service, stop } = await embed({ store, environment: SANDBOX }, 0);

const token = await service.tokens.issueSandboxToken('ada', ['kyc:read']);
calls.length = 0;
const response = await fetch(`${url}/queries/evaluate`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: { check: { claim: 'kyc.passed', operator: '==', value: true } } }),
});
const { passed } = (await response.json()) as { readonly passed: boolean };
console.log(`passed: ${passed}, store calls: ${calls.join(', ')}`);
for (const method of slow) console.error(`slow: ${method}`);

await stop();
await rm(folder, { recursive: true });
