/**
 * Checks the files in `deploy` with the programs that read them, where they are installed (S389): `npm run check -- deployment`.
 *
 * Debian has promtool (package `prometheus`) and systemd-analyze (`systemd`). Exits with 1 if a program finds a fault.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deploymentPath } from '../../build/write-deployment.js';
import { isInstalled } from '../support/installed-programs.js';
import { CHART_VALUES } from './render-chart.js';

/** The highest exposure that `systemd-analyze security` may find, in tenths; 100 is the worst. */
const MAX_EXPOSURE = 15;

interface Tool {
  readonly name: string;
  readonly version: readonly string[];
  readonly commands: readonly (readonly string[])[];
}

const folder = mkdtempSync(join(tmpdir(), 'proviso-deployment-'));
try {
  const results = tools(copyUnit()).map(runTool);
  process.exitCode = results.every((passed) => passed) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

function tools(unit: string): readonly Tool[] {
  const chart = deploymentPath('helm/proviso');
  const values = CHART_VALUES.flatMap((value) => ['--set', value]);
  return [
    {
      name: 'promtool',
      version: ['--version'],
      commands: [
        ['check', 'rules', deploymentPath('prometheus/proviso-rules.yaml')],
        ['test', 'rules', deploymentPath('prometheus/proviso-rules.test.yaml')],
      ],
    },
    {
      name: 'systemd-analyze',
      version: ['--version'],
      commands: [
        ['verify', unit],
        ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, '--no-pager', unit],
      ],
    },
    {
      name: 'helm',
      version: ['version'],
      commands: [
        ['lint', '--strict', chart, ...values],
        ['template', 'proviso', chart, ...values],
      ],
    },
  ];
}

/** Copies the unit with this Node as its program, since `verify` requires that it exists. */
function copyUnit(): string {
  const unit = readFileSync(deploymentPath('systemd/proviso.service'), 'utf8');
  const path = join(folder, 'proviso.service');
  writeFileSync(path, unit.replace('ExecStart=/usr/bin/node', `ExecStart=${process.execPath}`));
  return path;
}

function runTool({ name, version, commands }: Tool): boolean {
  if (!isInstalled(name, name, version)) return true;
  return commands.every((args) => {
    const { status, stdout, stderr } = spawnSync(name, args, { encoding: 'utf8' });
    const passed = status === 0;
    process.stdout.write(
      `${passed ? 'passed' : 'FAILED'}: ${name} ${args
        .slice(0, 2)
        .filter((arg) => !arg.includes('/'))
        .join(' ')}\n`,
    );
    if (!passed) process.stdout.write(stdout + stderr);
    return passed;
  });
}
