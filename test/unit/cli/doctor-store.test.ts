/** `proviso doctor` on a store that cannot be inspected (S393). */
import { Command } from 'commander';
import { expect, it, vi } from 'vitest';
import { addDoctor } from '../../../src/cli/commands/doctor.js';
import { CommandError } from '../../../src/cli/output.js';

const inspectStore = vi.hoisted(() => vi.fn());

vi.mock('../../../src/cli/database.js', async (importOriginal) => ({
  ...(await importOriginal<typeof import('../../../src/cli/database.js')>()),
  readSchema: async () => ({ found: 1, newest: 1 }),
  inspectStore,
}));

// S393
it.each([
  [
    new Error('a message that may contain a stored value'),
    'is damaged or cannot be read: Error; fix the cause, or restore a backup',
  ],
  [
    Object.assign(new Error('permission denied for table credential'), { code: '42501' }),
    'does not allow a statement: permission denied for table credential',
  ],
  [
    new CommandError('the store postgres://127.0.0.1:1/proviso cannot be opened: too many clients'),
    'cannot be opened: too many clients',
  ],
])(
  '`proviso doctor` fails if the store cannot be inspected although its schema was read: %s',
  async (error, reason) => {
    inspectStore.mockRejectedValueOnce(error);
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const exitCode = process.exitCode;
    try {
      const program = new Command();
      addDoctor(program, { PROVISO_DATABASE_URL: 'postgres://127.0.0.1:1/proviso' });
      await program.parseAsync(['doctor', '--json'], { from: 'user' });
      expect(process.exitCode).toBe(1);
      const { findings } = JSON.parse(String(written.mock.calls[0]?.[0])) as { findings: unknown[] };
      expect(findings.at(-1)).toEqual({
        level: 'fail',
        subject: 'store',
        found: `the store postgres://127.0.0.1:1/proviso ${reason}`,
      });
    } finally {
      process.exitCode = exitCode;
      written.mockRestore();
    }
  },
);
