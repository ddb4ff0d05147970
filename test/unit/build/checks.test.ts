import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { CHECKS, findUnknownOption, usageOf } from '../../../build/checks.js';

describe('npm run check', () => {
  it.each(CHECKS)('describes $name', (check) => {
    expect(usageOf(check)).toMatch(/^[^ ].{10}/);
    expect(usageOf(check)).not.toMatch(/^ ?\*/m);
  });

  it('finds an option that a check does not have, with or without a value', () => {
    const usage =
      'Kills a process.\n\n  npm run check -- crash --rounds 50 [--store sqlite|postgres] [--report-only]';
    expect(findUnknownOption(usage, ['--rounds', '5', '--store=sqlite', '--report-only'])).toBeUndefined();
    expect(findUnknownOption(usage, ['--rounds', '5', '--stores', 'sqlite'])).toBe('--stores');
    expect(findUnknownOption(usage, ['--round=5'])).toBe('--round');
  });

  it('passes all options on to a tool whose options it does not know', () => {
    expect(findUnknownOption('Measures the size of each entry point.', ['--anything'])).toBeUndefined();
  });

  it('rejects an unknown option with the usage, and runs nothing', () => {
    const { status, stdout, stderr } = run('crash', '--round', '5');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^unknown option `--round` of the check `crash`\n\nKills a serving process/);
    expect(stderr).toContain('npm run check -- crash --rounds 50');
  });

  it('prints the usage of a check', () => {
    const { status, stdout } = run('scale', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('[--people 1000,100000]');
  });
});

function run(...args: readonly string[]) {
  return spawnSync('node_modules/.bin/tsx', ['build/checks.ts', ...args], { encoding: 'utf8' });
}
