/** Reads the files in `deploy` that configure the service: the environment of the service, and how long it may take to stop. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { deploymentPath } from '../../build/write-deployment.js';

type Variables = Readonly<Record<string, string>>;

/** How a file starts the service. */
export interface Started {
  readonly environment: Variables;
  /** After this time, the service is killed. */
  readonly graceSeconds: number;
}

/** A service of a compose file. */
export interface ComposeService {
  readonly build?: object;
  readonly command?: readonly string[];
  readonly environment?: Variables;
  readonly secrets?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
}

const KEY = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';

/** Secrets and settings of a deployment, by the names of their files. */
const SECRETS: Variables = {
  key: KEY,
  'administrator-sha256': KEY,
  'database-url': 'postgres://proviso:secret@database:5432/proviso',
  'encryption-keys': `2026-11:${KEY}`,
  'settings.json': '{ "issuer": "https://claims.example/v2" }',
};

/** Writes the secrets and settings into a new temporary folder. @returns The folder. */
export function writeSecrets(): string {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-secrets-'));
  for (const [name, text] of Object.entries(SECRETS))
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  return folder;
}

/** Reads the services of a compose file that are built from this checkout. @param path - Relative to `deploy`. */
export function readComposeServices(path: string): ReadonlyMap<string, ComposeService> {
  const { services } = parse(readFileSync(deploymentPath(path), 'utf8'), { merge: true });
  const all: readonly [string, ComposeService][] = Object.entries(services);
  return new Map(all.filter(([, { build }]) => build !== undefined));
}

/** Returns how a compose file starts a service. @param variables - The variables of the shell, which the compose file substitutes. */
export function composeStart(
  { environment = {}, stop_grace_period = '10s' }: ComposeService,
  variables: Variables,
): Started {
  const substituted = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(
      /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
      (_match, variable, fallback = '') => variables[variable] ?? fallback,
    ),
  ]);
  return { environment: Object.fromEntries(substituted), graceSeconds: secondsOf(stop_grace_period) };
}

/** Reads the assignments of a section of a systemd unit; each name may occur several times. */
export function readUnit(section: string): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(deploymentPath('systemd/proviso.service'), 'utf8');
  const [, body = ''] = text.split(`[${section}]\n`);
  const assignments = new Map<string, string[]>();
  for (const line of body.split(/^\[/m)[0]?.split('\n') ?? []) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== '') assignments.set(name, [...(assignments.get(name) ?? []), value]);
  }
  return assignments;
}

/** Returns how the systemd unit starts the service. */
export function unitStart(): Started {
  const service = readUnit('Service');
  const environment = (service.get('Environment') ?? []).map((assignment) => {
    const at = assignment.indexOf('=');
    return [assignment.slice(0, at), assignment.slice(at + 1)];
  });
  const [timeout = ''] = service.get('TimeoutStopSec') ?? [];
  return { environment: Object.fromEntries(environment), graceSeconds: secondsOf(timeout) };
}

/** Parses a number of seconds, with or without `s`. */
function secondsOf(text: string): number {
  const [, digits] = /^(\d+)s?$/.exec(text) ?? [];
  if (digits === undefined) throw new RangeError(`the time must be in seconds (got ${text})`);
  return Number(digits);
}
