/**
 * The files in `deploy`, and the compose file of the examples, start the service with a valid configuration, without root, and let it stop in an
 * orderly way (S389).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { deploymentPath } from '../../build/write-deployment.js';
import { readConfiguration } from '../../src/cli/configuration/read-configuration.js';
import { shutdownLimitMs } from '../../src/cli/serving/supervise-processes.js';
import { ROUTES } from '../../src/http/routes/catalogue.js';
import { MS_PER_SECOND } from '../../src/util/time.js';
import { isInstalled } from '../support/installed-programs.js';
import {
  composeStart,
  readComposeServices,
  readUnit,
  type Started,
  unitStart,
  writeSecrets,
} from './files.js';
import { renderChart } from './render-chart.js';

const COMPOSE = 'compose.yaml';
const SANDBOX_COMPOSE = '../docs/examples/postgres-compose/compose.yaml';
const ISSUER = 'https://claims.example/v2';
const hasHelm = isInstalled('helm', 'helm', ['version']);

let secrets: string;

beforeAll(() => {
  secrets = writeSecrets();
});

afterAll(() => rmSync(secrets, { recursive: true }));

/** Returns every way in which the files start the service, by name. */
function listStarts(): readonly (readonly [string, Started])[] {
  return [
    ...[COMPOSE, SANDBOX_COMPOSE].flatMap((path) =>
      [...readComposeServices(path)].map(
        ([name, service]) => [`${path}: ${name}`, composeStart(service, { PROVISO_ISSUER: ISSUER })] as const,
      ),
    ),
    ['systemd/proviso.service', unitStart()],
    ...(hasHelm ? ([['helm/proviso', chartStart()]] as const) : []),
  ];
}

function chartStart(...values: readonly string[]): Started {
  const pod = renderChart(...values).get('Deployment')?.spec?.template?.spec;
  if (pod === undefined) throw new Error('the chart must have a deployment');
  const [{ env }] = pod.containers;
  return {
    environment: Object.fromEntries(env.map(({ name, value }) => [name, value])),
    graceSeconds: pod.terminationGracePeriodSeconds,
  };
}

/** Reads the configuration that an environment describes, with secrets and settings in a folder of the test. */
function configure({ environment }: Started) {
  const variables = Object.entries(environment).map(([name, value]) => [
    name,
    value
      .replace(/^(?:%d|\/run\/secrets\/proviso|\/run\/secrets)\//, `${secrets}/`)
      .replace('/etc/proviso/settings.json', `${secrets}/settings.json`),
  ]);
  return readConfiguration({ variables: Object.fromEntries(variables), serving: true });
}

describe('the deployment files', () => {
  // S389
  it('start the service with settings that exist and are complete', () => {
    for (const [name, started] of listStarts())
      expect([name, configure(started).problems]).toEqual([name, []]);
  });

  // S389
  it('give the service more time to stop than it takes at most', () => {
    for (const [name, started] of listStarts()) {
      const limitSeconds = shutdownLimitMs(configure(started).values) / MS_PER_SECOND;
      expect([name, started.graceSeconds > limitSeconds]).toEqual([name, true]);
    }
  });

  it('start the service without root, on a read-only root file system, without capabilities', () => {
    const services = [COMPOSE, SANDBOX_COMPOSE].flatMap((path) => [...readComposeServices(path).values()]);
    expect(
      services.map(({ read_only, cap_drop, security_opt }) => [read_only, cap_drop, security_opt]),
    ).toEqual(services.map(() => [true, ['ALL'], ['no-new-privileges:true']]));
    const image = readFileSync(deploymentPath('Containerfile'), 'utf8');
    expect(image.match(/^USER .*$/gm)).toEqual(['USER 65532:65532']);
    const unit = readUnit('Service');
    expect(
      ['DynamicUser', 'NoNewPrivileges', 'ProtectSystem', 'CapabilityBoundingSet'].map((name) =>
        unit.get(name),
      ),
    ).toEqual([['yes'], ['yes'], ['strict'], ['']]);
  });

  it('check the health of the service at paths that it has', () => {
    const paths = ROUTES.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/healthz', '/readyz']));
    const image = readFileSync(deploymentPath('Containerfile'), 'utf8');
    expect(image.match(/HEALTHCHECK[\s\S]*?\]/)?.[0]).toContain('/healthz`');
    const deployment = readFileSync(deploymentPath('helm/proviso/templates/deployment.yaml'), 'utf8');
    const probed = [...deployment.matchAll(/^ +(\w+Probe):\n +httpGet:\n +path: (\S+)$/gm)];
    expect(probed.map(([, probe, path]) => [probe, path])).toEqual([
      ['startupProbe', '/healthz'],
      ['livenessProbe', '/healthz'],
      ['readinessProbe', '/readyz'],
    ]);
  });

  it('cite sections of the guides that exist', () => {
    for (const name of [COMPOSE, 'systemd/proviso.service']) {
      const text = readFileSync(deploymentPath(name), 'utf8');
      const [, guide = '', cited = ''] = /(docs\/guides\/[\w-]+\.md)[^.\n]*\(([^)\n]+)\)/.exec(text) ?? [];
      const page = readFileSync(new URL(`../../${guide}`, import.meta.url), 'utf8');
      const titles = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
      const sections = [...cited.matchAll(/"([^"]+)"/g)].map(([, section]) => section);
      expect([name, sections.length > 0]).toEqual([name, true]);
      expect([name, titles]).toEqual([name, expect.arrayContaining(sections)]);
    }
  });

  it('mount, in the compose file, exactly the secrets that the service reads', () => {
    const { secrets: declared } = parse(readFileSync(deploymentPath(COMPOSE), 'utf8'));
    for (const [, { environment = {}, secrets: mounted = [] }] of readComposeServices(COMPOSE)) {
      const read = Object.values(environment).flatMap(
        (value) => /^\/run\/secrets\/(.*)$/.exec(value)?.[1] ?? [],
      );
      expect([...mounted].sort()).toEqual(read.sort());
      expect(mounted.filter((name) => !(name in declared))).toEqual([]);
    }
  });
});

describe('the Helm chart', () => {
  const read = (name: string) => readFileSync(deploymentPath(`helm/proviso/${name}`), 'utf8');
  const defaults = parse(read('values.yaml'));
  const accepts = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')));

  it('has defaults that its schema accepts, and rejects unknown and wrong values', () => {
    expect([accepts(defaults), accepts.errors]).toEqual([true, null]);
    const rejected = [
      { replicas: 3 },
      { replicaCount: 0 },
      { graceSeconds: '35' },
      { issuer: 'http://claims.example/v2' },
      { settings: { processes: { count: 2 } } },
      { image: { repository: '' } },
    ];
    for (const values of rejected)
      expect([values, accepts({ ...defaults, ...values })]).toEqual([values, false]);
  });

  it('uses only values that have a default', () => {
    const names = readdirSync(deploymentPath('helm/proviso/templates'));
    const used = names.flatMap((name) => [...read(`templates/${name}`).matchAll(/\.Values\.([\w.]+)/g)]);
    const find = (path: string) =>
      path
        .split('.')
        .reduce<unknown>(
          (value, member) => (value as Record<string, unknown> | undefined)?.[member],
          defaults,
        );
    expect(used.length).toBeGreaterThan(20);
    expect(used.map(([, path = '']) => path).filter((path) => find(path) === undefined)).toEqual([]);
  });

  it('gives the pod more time after `graceSeconds` than the service takes to stop', () => {
    const formula =
      /terminationGracePeriodSeconds: \{\{ add \(max \.Values\.drainSeconds \.Values\.graceSeconds\) (\d+) \}\}/;
    const added = Number(formula.exec(read('templates/deployment.yaml'))?.[1]);
    expect(added).toBeGreaterThan(shutdownLimitMs({ graceSeconds: 0 }) / MS_PER_SECOND);
  });

  it.skipIf(!hasHelm)(
    'gives the service more time to stop than it takes at most, whatever the values',
    () => {
      for (const values of [
        ['drainSeconds=300', 'graceSeconds=330'],
        ['graceSeconds=1', 'drainSeconds=0'],
        ['graceSeconds=600'],
      ]) {
        const started = chartStart(...values);
        const limitSeconds = shutdownLimitMs(configure(started).values) / MS_PER_SECOND;
        expect([values, started.graceSeconds > limitSeconds]).toEqual([values, true]);
      }
    },
  );

  it.skipIf(!hasHelm)('starts the service without root, on a read-only root file system', () => {
    const pod = renderChart().get('Deployment')?.spec?.template?.spec;
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532, fsGroup: 65532 });
    expect(pod?.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it.skipIf(!hasHelm)('does not render without the required values, or with wrong ones', () => {
    const render = (...values: readonly string[]) =>
      execFileSync(
        'helm',
        ['template', deploymentPath('helm/proviso'), ...values.flatMap((one) => ['--set', one])],
        {
          encoding: 'utf8',
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
    expect(() => render('existingSecret=s')).toThrow('issuer must be the base URL of the service');
    expect(() => render(`issuer=${ISSUER}`)).toThrow('existingSecret must be the name of a Secret');
    expect(() => render(`issuer=${ISSUER}`, 'existingSecret=s', 'replicas=2')).toThrow('replicas');
  });
});
