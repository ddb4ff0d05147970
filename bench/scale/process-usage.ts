/** CPU time and memory of other processes, read from `/proc`. NaN except on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

const KIB_PER_MIB = 1_024;
/** The kernel reports CPU time in ticks of `USER_HZ`, which is 100 on all platforms of Node. */
const MS_PER_TICK = 10;
/** Positions of fields of `/proc/PID/stat`, counted from the field after the command name. */
const PARENT = 1;
const OWN_TICKS = [11, 12] as const;
const CHILDREN_TICKS = [13, 14] as const;

/** The resident memory of a process, or its peak. */
export function readMemoryMiB(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / KIB_PER_MIB;
  } catch {
    return Number.NaN;
  }
}

/** The CPU time of a process so far. */
export function readCpuMs(pid: number | undefined): number {
  const stat = readStat(pid);
  return stat === undefined ? Number.NaN : ticksOf(stat, OWN_TICKS) * MS_PER_TICK;
}

/** The CPU time so far of a process and its children, including those that ended, such as the backends of a PostgreSQL server. */
export function readCpuMsWithChildren(pid: number): number {
  const stat = readStat(pid);
  if (stat === undefined) return Number.NaN;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((child) => child !== undefined)
    .filter((child) => child[PARENT] === String(pid));
  const ticks = children.reduce((sum, child) => sum + ticksOf(child, OWN_TICKS), 0);
  return (ticksOf(stat, OWN_TICKS) + ticksOf(stat, CHILDREN_TICKS) + ticks) * MS_PER_TICK;
}

function ticksOf(stat: readonly string[], members: readonly number[]): number {
  return members.reduce((sum, member) => sum + Number(stat[member]), 0);
}

function readStat(pid: number | undefined): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses, and may contain spaces and parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
