/** `proviso person purge` on a store that cannot be rewritten (S408). */
import { Command } from 'commander';
import { expect, it, vi } from 'vitest';
import { addPerson } from '../../../src/cli/commands/person.js';
import { CommandError } from '../../../src/cli/output.js';
import { StoreUnavailable } from '../../../src/service/index.js';

const store = vi.hoisted(() => ({
  findSecret: async () => 'sandbox',
  getOrCreateSecret: async (_name: string, offered: string) => offered,
  purgeErased: vi.fn<() => Promise<readonly string[] | undefined>>(),
  close: async () => undefined,
}));

vi.mock('../../../src/cli/database.js', async (importOriginal) => ({
  ...(await importOriginal<typeof import('../../../src/cli/database.js')>()),
  openExistingStore: async () => store,
}));

function purge(): Promise<unknown> {
  const program = new Command();
  addPerson(program, {});
  return program.parseAsync(['person', 'purge'], { from: 'user' });
}

function failWith(code: string): StoreUnavailable {
  return new StoreUnavailable(Object.assign(new Error('not shown'), { code }));
}

// S408
it('a purge that another program prevents fails with the advice to stop that program', async () => {
  store.purgeErased.mockRejectedValueOnce(failWith('SQLITE_BUSY'));
  const error: unknown = await purge().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CommandError);
  expect(error).toMatchObject({ message: expect.stringMatching(/stop the programs/), exitCode: 1 });
});

// S408
it('a purge that fails for another reason, such as a full disk, reports that reason', async () => {
  const full = failWith('SQLITE_FULL');
  store.purgeErased.mockRejectedValueOnce(full);
  await expect(purge()).rejects.toBe(full);
});
