/** The conditions under which figures are measured. */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The conditions of a measurement; nothing that identifies the machine. */
export interface Conditions {
  readonly cpu: string;
  readonly cores: number;
  readonly platform: string;
  readonly node: string;
  readonly v8: string;
  /** Abbreviated; ends in `+` if measured sources had uncommitted changes. */
  readonly commit: string;
  /** RFC 3339 UTC. */
  readonly date: string;
}

/** Reads the machine, the checkout and the clock. @param checkout - The folder of the measured checkout. Default: the working directory. */
export function readConditions(checkout = '.'): Conditions {
  const processors = cpus();
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
  // Only sources: a run itself changes results and charts.
  const changed = git(
    'status',
    '--porcelain',
    '--',
    'src',
    'bench/contenders',
    'bench/figures',
    'bench/http',
    'bench/policy-sets',
    'bench/scale',
    'bench/scenarios',
    'bench/timing',
  );
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    v8: process.versions.v8,
    commit: git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '+'),
    date: new Date().toISOString(),
  };
}

/** Formats the conditions in one line. */
export function describeConditions({ cpu, cores, platform, node, commit, date }: Conditions): string {
  return `${cpu}, ${cores} cores, ${platform}, Node ${node}, commit ${commit}, ${date.slice(0, 10)}`;
}
