/** Inputs that once failed, one per file, which the tests replay. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Regression {
  readonly target: string;
  /** The kind of the finding. */
  readonly kind: string;
  readonly detail: string;
  /** The smallest input that reproduces it. */
  readonly input: unknown;
  /** Why this input still fails; the replay test then requires a finding of exactly this `kind`. Absent once it is fixed. */
  readonly open?: string;
}

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const MAX_DETAIL = 400;

export const REGRESSIONS = fileURLToPath(new URL('./regressions', import.meta.url));

/** Saves an input. @returns The file name. */
export function writeRegression(regression: Regression): string {
  mkdirSync(REGRESSIONS, { recursive: true });
  // In `detail`, the output of a process may contain the path of the checkout.
  const detail = regression.detail.replaceAll(CHECKOUT, '').slice(0, MAX_DETAIL);
  const text = `${JSON.stringify({ ...regression, detail }, undefined, 2)}\n`;
  const mark = createHash('sha256').update(JSON.stringify(regression.input)).digest('hex').slice(0, 8);
  const subject = regression.kind
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48);
  const name = `${regression.target}-${subject}-${mark}.json`;
  writeFileSync(join(REGRESSIONS, name), text);
  return name;
}

/** Reads the regressions of a target, sorted by file name. */
export function readRegressions(target: string): readonly (readonly [file: string, Regression])[] {
  return readdirSync(REGRESSIONS)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => [file, JSON.parse(readFileSync(join(REGRESSIONS, file), 'utf8')) as Regression] as const)
    .filter(([, regression]) => regression.target === target);
}
