import { expect, it } from 'vitest';
import { startClientServer } from '../support/client-server.js';
import { audit, createService, type GrantHistory, write } from './grants.js';
import { createSeededChoice } from './seeded-choice.js';

it('a response to an authorization request without an authorization and without an error is a violation', async () => {
  const server = await startClientServer();
  const service = createService(
    () => server.origin,
    () => false,
  );
  const histories: GrantHistory[] = [];
  await write(service, histories, createSeededChoice(1, 'writer'), () => histories.length > 0);
  expect(await audit(service, histories)).toBe(0);
  await server.stop();
  expect(service.violations).toEqual(['/oauth/authorize was answered with 200: no redirect']);
});
