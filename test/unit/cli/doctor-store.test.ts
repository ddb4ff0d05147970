/** `proviso doctor` on a store that cannot be inspected (S393). */
import { Command } from 'commander';
import { expect, it, vi } from 'vitest';
import { addDoctor } from '../../../src/cli/commands/doctor.js';

vi.mock('../../../src/cli/database.js', async (importOriginal) => ({
  ...(await importOriginal<typeof import('../../../src/cli/database.js')>()),
  readSchema: async () => ({ found: 1, newest: 1 }),
  inspectStore: () => Promise.reject(new Error('the connection ended')),
}));

// S393
it('`proviso doctor` fails if the store cannot be inspected although its schema was read', async () => {
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
      found: expect.stringMatching(/^the store postgres:\/\/127\.0\.0\.1:1\/proviso /),
    });
  } finally {
    process.exitCode = exitCode;
    written.mockRestore();
  }
});
