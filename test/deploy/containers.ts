/**
 * Builds the image of `deploy/Containerfile` with podman or buildah, starts it with podman, and checks that it runs without root, on a
 * read-only root file system (S389).
 *
 * npm run check -- containers [--base IMAGE] [--image IMAGE]
 *
 * `--base`: a base image with Node and npm. Default: the base image of the Containerfile; if it cannot be pulled, one with the Node of this machine.
 * `--image`: an existing image to check, instead of building one.
 */
import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../support/free-port.js';
import { isInstalled } from '../support/installed-programs.js';
import { buildLocalBase } from './local-base-image.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONTAINERFILE = 'deploy/Containerfile';
const NAME = `proviso-check-${process.pid}`;
/** Group of the image's user, which must be allowed to read secrets. */
const GROUP = 65532;
/** Used as the key and as the hash of the administrator's token. Not a secret: the service stops after the check. */
const HASH = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';
const STARTS_WITHIN_MS = 60_000;
/** Longer than the default of `PROVISO_GRACE_SECONDS`. */
const STOP_SECONDS = '45';

/** JavaScript expression for the effective capabilities of the process, a hexadecimal bit mask. */
const CAPABILITIES = "/CapEff:\\s*(\\w+)/.exec(fs.readFileSync('/proc/self/status','utf8'))[1]";

const { values } = parseArgs({ options: { base: { type: 'string' }, image: { type: 'string' } } });
const IMAGE = values.image ?? 'localhost/proviso-check';
const builder = ['podman', 'buildah'].find((name) =>
  isInstalled(`${name}, which builds containers,`, name, ['--version']),
);
if (builder === undefined)
  print('SKIPPED: no image was built, since neither podman nor buildah is installed');
else await check(builder);

async function check(builder: string): Promise<void> {
  if (values.image === undefined) {
    const base = values.base ?? chooseBase(builder);
    print(`building with ${builder}, as user ${process.getuid?.()}, on ${base}`);
    buildImage(builder, base);
  }
  if (builder !== 'podman') {
    print('SKIPPED: the image was built, but not started, since podman is not installed');
    return;
  }
  checkImage();
  await checkSandbox();
  await checkProduction();
  const isRootless = run('podman', ['info', '--format', '{{.Host.Security.Rootless}}']);
  print(`passed; the containers ran ${isRootless === 'true' ? 'rootless' : 'as root of this machine'}`);
}

function chooseBase(builder: string): string {
  const [, base = ''] = /^ARG BASE=(\S+)$/m.exec(readFileSync(`${ROOT}${CONTAINERFILE}`, 'utf8')) ?? [];
  if (spawnSync(builder, ['pull', base], { stdio: 'ignore' }).status === 0) return base;
  print(`${base} cannot be pulled`);
  return buildLocalBase(builder);
}

function buildImage(builder: string, base: string): void {
  const registry = run('npm', ['config', 'get', 'registry']);
  const args = ['build', '--format', 'docker', '--network', 'host', '-f', CONTAINERFILE, '-t', IMAGE];
  args.push('--ignorefile', `${CONTAINERFILE}.dockerignore`, '--build-arg', `BASE=${base}`);
  args.push('--build-arg', `NPM_CONFIG_REGISTRY=${registry}`);
  const { status } = spawnSync(builder, [...args, '.'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  equal(status, 0, 'the image must be built');
}

function checkImage(): void {
  const [image] = JSON.parse(run('podman', ['image', 'inspect', IMAGE]));
  match(image.Config.User, /^[1-9]\d*:[1-9]\d*$/);
  equal(image.Healthcheck?.Test[0], 'CMD');
  print(`image: ${Math.round(image.Size / 1_048_576)} MB, user ${image.Config.User}`);
}

/** Checks the sandbox, on SQLite in the volume. */
async function checkSandbox(): Promise<void> {
  const port = await freePort();
  start(port, []);
  try {
    await expectOk(port, ['/healthz', '/readyz']);
    run('podman', ['healthcheck', 'run', NAME]);
    const uid = Number(inContainer('process.getuid()'));
    equal(uid > 0, true, 'the process must not be root');
    const writeTo = (path: string) =>
      inContainer(`try{fs.writeFileSync('${path}','');'written'}catch({code}){code}`);
    deepEqual(['/written', '/app/written', '/tmp/written'].map(writeTo), ['EROFS', 'EROFS', 'EROFS']);
    equal(writeTo('/data/written'), 'written');
    print(`sandbox: ready, uid ${uid}, read-only root, capabilities ${inContainer(CAPABILITIES)}`);
    expectOrderlyStop();
  } finally {
    remove();
  }
}

/** Checks production. As in Kubernetes, the files of secrets belong to root, and the group of the service may read them. */
async function checkProduction(): Promise<void> {
  const port = await freePort();
  // One secret is both the key and the hash of the administrator's token.
  run('sh', ['-c', `printf %s ${HASH} | podman secret create "$0" -`, NAME]);
  // Not in /run/secrets: on a read-only root, podman 4 mounts this folder read-only before it adds the secret.
  const file = '/etc/proviso-secret';
  const environment = [
    'PROVISO_ENVIRONMENT=production',
    'PROVISO_ISSUER=https://claims.example/v2',
    `PROVISO_KEY_FILE=${file}`,
    `PROVISO_ADMINISTRATOR_SHA256_FILE=${file}`,
  ].flatMap((variable) => ['--env', variable]);
  try {
    start(port, ['--secret', `${NAME},target=${file},uid=0,gid=${GROUP},mode=0440`, ...environment]);
    await expectOk(port, ['/healthz', '/readyz']);
    print('production: ready, with secrets in files');
    expectOrderlyStop();
  } finally {
    remove();
    run('podman', ['secret', 'rm', NAME]);
  }
}

function start(port: number, options: readonly string[]): void {
  const isolation = ['--read-only', '--read-only-tmpfs=false', '--cap-drop', 'all'];
  const limits = ['--security-opt', 'no-new-privileges', '--network', 'host'];
  const address = ['--env', 'PROVISO_HOST=127.0.0.1', '--env', `PROVISO_PORT=${port}`];
  run('podman', ['run', '--detach', '--name', NAME, ...isolation, ...limits, ...address, ...options, IMAGE]);
}

async function expectOk(port: number, paths: readonly string[]): Promise<void> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  for (const path of paths) {
    for (;;) {
      const status = await fetch(`http://127.0.0.1:${port}${path}`).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) break;
      const isRunning = run('podman', ['inspect', '--format', '{{.State.Running}}', NAME]) === 'true';
      if (!isRunning || performance.now() > deadline) {
        spawnSync('podman', ['logs', NAME], { stdio: 'inherit' });
        throw new Error(`${path} must return 200 (got ${status})`);
      }
      await delay(200);
    }
  }
}

function expectOrderlyStop(): void {
  run('podman', ['stop', '--time', STOP_SECONDS, NAME]);
  equal(run('podman', ['inspect', '--format', '{{.State.ExitCode}}', NAME]), '0', 'the service must drain');
}

function remove(): void {
  run('podman', ['rm', '--force', '--ignore', '--volumes', NAME]);
}

/** Evaluates an expression with Node in the container. */
function inContainer(expression: string): string {
  return run('podman', ['exec', NAME, 'node', '-p', expression]);
}

/** Runs a command that must succeed; returns what it prints. */
function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
