/** The configuration: environment and file, validation of all settings, masked secrets (V2, S196, S202). */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/cli/configuration/read-configuration.js';
import { settingEntries, variableOf } from '../../src/cli/configuration/settings.js';
import { readApplicationsFile } from '../../src/cli/deployment-files.js';
import { createServiceCatalogue } from '../../src/service/index.js';
import { runCommand } from '../support/run-command.js';

const KEY = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';
const PRODUCTION = {
  PROVISO_ENVIRONMENT: 'production',
  PROVISO_ISSUER: 'https://claims.example/v2',
  PROVISO_KEY: KEY,
  PROVISO_ADMINISTRATOR_SHA256: KEY,
};

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-config-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

function problemsOf(variables: Readonly<Record<string, string>>): readonly string[] {
  return readConfiguration({ variables, serving: true }).problems;
}

describe('the table of settings', () => {
  it('has valid defaults in both environments', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf(PRODUCTION)).toEqual([]);
  });

  it('has a unique environment variable for each setting', () => {
    const variables = settingEntries().map(([name]) => variableOf(name));
    expect(new Set(variables).size).toBe(variables.length);
    expect(variables).toContain('PROVISO_MAX_BODY_BYTES');
  });
});

describe('reading the configuration', () => {
  it('prefers the environment to the file, and the file to the default', () => {
    const file = join(cwd, 'settings.json');
    writeFileSync(file, '{ "port": 1, "maxHeaders": 50, "trustedProxies": ["10.0.0.0/8", "::1"] }');
    const { values, origins, problems } = readConfiguration({
      variables: { PROVISO_CONFIG: file, PROVISO_PORT: '2', PROVISO_MAX_HEADERS: '' },
    });
    expect(problems).toEqual([]);
    expect([values.port, values.maxHeaders, values.maxBodyBytes]).toEqual([2, 50, 65_536]);
    expect(['port', 'maxHeaders', 'maxBodyBytes'].map((name) => origins.get(name))).toEqual([
      'environment',
      'file',
      'default',
    ]);
    expect(values.trustedProxies?.list.check('10.9.8.7')).toBe(true);
  });

  // S202
  it('reports all problems at once, each with the setting, the requirement and the value', () => {
    const file = join(cwd, 'settings.json');
    writeFileSync(file, '{ "hostt": 1, "port": {} }');
    const problems = problemsOf({
      PROVISO_CONFIG: file,
      PROVISO_ENVIRONMENT: 'production',
      PROVISO_PORT: '80a',
      PROVISO_ISSUER: 'http://claims.example/v2',
      PROVISO_KEY: 'a'.repeat(64),
      PROVISO_MAX_BODY_BYTE: '1',
      PROVISO_AUTHORIZATION_RATE_LIMIT_PER_MINUT: '1',
      PROVISO_SIGN_IN_URL: 'https://login.example/',
    });
    expect(problems).toEqual([
      `${file}: unknown setting \`hostt\`; did you mean host?`,
      `${file}: \`port\` must be a string, a number or an array of strings`,
      'unknown setting `PROVISO_MAX_BODY_BYTE`; did you mean PROVISO_MAX_BODY_BYTES?',
      'unknown setting `PROVISO_AUTHORIZATION_RATE_LIMIT_PER_MINUT`; did you mean PROVISO_AUTHORIZATION_RATE_LIMIT_PER_MINUTE?',
      'PROVISO_PORT must be an integer from 0 (any free port) to 65535 (got `80a`)',
      expect.stringMatching(/^PROVISO_ADMINISTRATOR_SHA256 is missing: production requires 64 .*$/),
      expect.stringMatching(
        /^PROVISO_ISSUER must be an https URL with the path .* \(got `http:\/\/claims.example\/v2`\)$/,
      ),
      expect.stringMatching(/^PROVISO_KEY must be .* \(the value is not shown: it is a secret\)$/),
      'PROVISO_SIGN_IN_URL and PROVISO_SIGN_IN_KEYS must be set together: one of them is missing',
    ]);
  });

  // S202
  it('reports a setting that is invalid or unreadable once, and not as missing', () => {
    const { PROVISO_KEY: _key, ...others } = PRODUCTION;
    const file = join(cwd, 'settings.json');
    writeFileSync(file, '{ "issuer": true }');
    expect(
      problemsOf({
        PROVISO_ENVIRONMENT: 'production',
        PROVISO_ADMINISTRATOR_SHA256: others.PROVISO_ADMINISTRATOR_SHA256,
        PROVISO_CONFIG: file,
        PROVISO_KEY_FILE: join(cwd, 'missing'),
        PROVISO_SIGN_IN_URL: 'http://login.example/',
        PROVISO_SIGN_IN_KEYS: 'keys.json',
        PROVISO_ENCRYPTION: 'required',
        PROVISO_ENCRYPTION_KEYS: 'mistyped',
      }),
    ).toEqual([
      `${file}: \`issuer\` must be a string, a number or an array of strings`,
      `PROVISO_KEY_FILE: the file \`${join(cwd, 'missing')}\` cannot be read (ENOENT)`,
      expect.stringMatching(/^PROVISO_ENCRYPTION_KEYS must be one or more keys /),
      expect.stringMatching(/^PROVISO_SIGN_IN_URL must be an https URL /),
    ]);
  });

  // S200, S202
  it.each([
    ['30', '30', 1],
    ['40', '35', 1],
    ['34', '35', 0],
  ])(
    'rejects a drain of %s s with a grace period of %s s unless the grace period is longer',
    (drain, grace, count) => {
      const problems = problemsOf({ PROVISO_DRAIN_SECONDS: drain, PROVISO_GRACE_SECONDS: grace });
      expect(
        problems.filter((problem) => problem.startsWith('PROVISO_GRACE_SECONDS must be larger')),
      ).toHaveLength(count);
    },
  );

  it.each([
    ['PROVISO_ISSUER', 'https://Claims.example/v2', /its host must be in lower case and ASCII/],
    ['PROVISO_ISSUER', 'https://claims.example:443/v2', /the default port 443 must be omitted/],
    ['PROVISO_ADMINISTRATOR_SHA256', `${'0f'.repeat(32)}  -`, /the first word that `printf .* prints/],
  ])('names the fault of %s %s', (variable, value, message) => {
    const { problems } = readConfiguration({
      variables: { ...PRODUCTION, [variable]: value },
      serving: true,
    });
    expect(problems).toEqual([expect.stringMatching(message)]);
  });

  it('names the requirement that an empty option violates', () => {
    const { problems } = readConfiguration({ variables: {}, options: { host: '' } });
    expect(problems).toEqual([expect.stringMatching(/^PROVISO_HOST must be a non-empty string /)]);
  });

  it('treats an empty PROVISO_CONFIG as absent', () => {
    expect(problemsOf({ PROVISO_CONFIG: '' })).toEqual([]);
    expect(readConfiguration({ variables: {}, file: '' }).problems).toHaveLength(1);
  });

  // S202
  it('rejects a secret that is set directly and by a file, and shows neither value', () => {
    const path = join(cwd, 'key');
    writeFileSync(path, `${KEY}\n`, { mode: 0o600 });
    const { PROVISO_KEY: _key, ...others } = PRODUCTION;
    const problem =
      'PROVISO_KEY and PROVISO_KEY_FILE must not be set together: only one may contain the secret';
    expect(problemsOf({ ...others, PROVISO_KEY_FILE: path, PROVISO_KEY: KEY })).toEqual([problem]);
    expect(problemsOf({ ...others, PROVISO_KEY: KEY, PROVISO_KEY_FILE: path })).toEqual([problem]);
    expect(problemsOf({ ...others, PROVISO_KEY: '', PROVISO_KEY_FILE: path })).toEqual([]);
  });

  // S202
  it.each([
    ['3', 3],
    // A process for each processor.
    ['0', availableParallelism()],
  ])(
    'rejects fewer PROVISO_SECRET_FAILURES_PER_MINUTE than processes (PROVISO_PROCESSES=%s)',
    (setting, count) => {
      const problemsWith = (failures: number) =>
        problemsOf({ PROVISO_PROCESSES: setting, PROVISO_SECRET_FAILURES_PER_MINUTE: String(failures) });
      expect(problemsWith(0)).toEqual([]);
      expect(problemsWith(count)).toEqual([]);
      // With one processor, one failure fewer is 0, which means no limit.
      if (count > 1)
        expect(problemsWith(count - 1)).toEqual([
          `PROVISO_SECRET_FAILURES_PER_MINUTE must be 0 or at least the number of processes, ${count} (PROVISO_PROCESSES)`,
        ]);
    },
  );

  // S202
  it.each([
    'https://claims.example',
    'https://claims.example/v2/',
    'https://u@claims.example/v2',
    'https://CLAIMS.example/v2',
  ])('rejects an issuer that is not the exact URL of the service: %s', (issuer) => {
    expect(problemsOf({ ...PRODUCTION, PROVISO_ISSUER: issuer })).toHaveLength(1);
  });

  it('accepts a byte order mark in the file of a secret and in a settings file, and rejects text that is not UTF-8', () => {
    const [path, settings] = [join(cwd, 'key'), join(cwd, 'settings.json')];
    const write = (key: Buffer, json: Buffer) => {
      writeFileSync(path, key, { mode: 0o600 });
      writeFileSync(settings, json);
    };
    const { PROVISO_KEY: _key, ...others } = PRODUCTION;
    const variables = { ...others, PROVISO_KEY_FILE: path, PROVISO_CONFIG: settings };
    const read = () => readConfiguration({ variables, serving: true });
    write(Buffer.from(`\ufeff${KEY}\r\n`), Buffer.from('\ufeff{"port":1234}'));
    expect([read().problems, read().values.key, read().values.port]).toEqual([[], KEY, 1234]);
    write(Buffer.from(KEY, 'utf16le').fill(0xff, 0, 1), Buffer.from('{"host":"\u00e9"}', 'latin1'));
    expect(read().problems).toEqual(
      expect.arrayContaining([
        `PROVISO_CONFIG or --config: the file \`${settings}\` must be encoded in UTF-8`,
        `PROVISO_KEY_FILE: the file \`${path}\` must be encoded in UTF-8`,
      ]),
    );
  });

  it('rejects a settings file with a repeated name, or that is not JSON, and locates the fault', () => {
    const settings = join(cwd, 'settings.json');
    const problemsWith = (json: string) => {
      writeFileSync(settings, json);
      return readConfiguration({ variables: { PROVISO_CONFIG: settings } }).problems;
    };
    const place = `PROVISO_CONFIG or --config: the file \`${settings}\` is not valid JSON (line 1, column`;
    expect(problemsWith('{"port":1234,"port":1235}')).toEqual([
      expect.stringMatching(/\(line 1, column 14\): .*repeated/),
    ]);
    expect(problemsWith('{"port":')).toEqual([`${place} 8): Expected a value.`]);
  });

  // S196, S202
  it('reads a secret only from a file that no other user can read', () => {
    const path = join(cwd, 'key');
    writeFileSync(path, `${KEY}\n`, { mode: 0o600 });
    const { PROVISO_KEY: _key, ...others } = PRODUCTION;
    const read = () => readConfiguration({ variables: { ...others, PROVISO_KEY_FILE: path }, serving: true });
    expect([read().problems, read().values.key]).toEqual([[], KEY]);
    chmodSync(path, 0o644);
    expect(read().problems[0]).toContain(
      `PROVISO_KEY_FILE: the file \`${path}\` must be accessible to its owner`,
    );
  });

  // S196
  it.each([
    ['key', KEY],
    ['administratorSha256', KEY],
    ['encryptionKeys', `k1:${KEY}`],
    ['encryptionKeys', ['mistyped']],
    ['databaseUrl', 'postgres://proviso:hunter2@db.example/proviso'],
    ['databaseUrl', 'postgres://db.example/proviso?password=hunter2'],
  ])(
    'rejects a settings file with a secret (%s) that others can read or write, and accepts it once they cannot',
    (member, value) => {
      const file = join(cwd, 'settings.json');
      writeFileSync(file, JSON.stringify({ environment: 'production', [member]: value }));
      const exposed = () =>
        readConfiguration({ variables: { PROVISO_CONFIG: file } }).problems.filter((problem) =>
          problem.includes('accessible to its owner'),
        );
      const problem = `${file}: a settings file with a secret (\`${member}\`) must be accessible to its owner only (chmod 600)`;
      for (const mode of [0o644, 0o640, 0o604, 0o620]) {
        chmodSync(file, mode);
        expect(exposed()).toEqual([problem]);
      }
      chmodSync(file, 0o600);
      expect(exposed()).toEqual([]);
    },
  );

  // S196
  it('marks each setting that is a secret', () => {
    const secrets = settingEntries().flatMap(([name, { secret }]) => (secret ? [name] : []));
    expect(secrets).toEqual(['databaseUrl', 'encryptionKeys', 'administratorSha256', 'key']);
  });

  // S196
  it('accepts a settings file without a secret that others can read', () => {
    const file = join(cwd, 'settings.json');
    writeFileSync(file, '{ "databaseUrl": "postgres://proviso@db.example/proviso", "port": 1 }', {
      mode: 0o644,
    });
    expect(readConfiguration({ variables: { PROVISO_CONFIG: file } }).problems).toEqual([]);
    writeFileSync(file, '{ "databaseUrl": "sqlite:store.sqlite" }');
    expect(readConfiguration({ variables: { PROVISO_CONFIG: file } }).problems).toEqual([]);
  });

  // S196
  it('rejects the private key of a client certificate for the database that others can read', () => {
    const path = join(cwd, 'client.key');
    writeFileSync(path, 'private', { mode: 0o600 });
    const PROVISO_DATABASE_URL = `postgres://proviso@db.example/proviso?sslkey=${encodeURIComponent(path)}`;
    const read = () => readConfiguration({ variables: { PROVISO_DATABASE_URL } }).problems;
    expect(read()).toEqual([]);
    chmodSync(path, 0o640);
    expect(read()).toEqual([
      `PROVISO_DATABASE_URL: its \`sslkey\` \`${path}\` must be accessible to its owner only (chmod 600)`,
    ]);
  });

  // S196
  it('rejects the last of several `sslkey` parameters if others can read its file', () => {
    const [first, last] = [join(cwd, 'first.key'), join(cwd, 'last.key')];
    writeFileSync(first, 'private', { mode: 0o600 });
    writeFileSync(last, 'private', { mode: 0o640 });
    const PROVISO_DATABASE_URL = `postgres://proviso@db.example/proviso?sslkey=${encodeURIComponent(first)}&sslkey=${encodeURIComponent(last)}`;
    expect(readConfiguration({ variables: { PROVISO_DATABASE_URL } }).problems).toEqual([
      `PROVISO_DATABASE_URL: its \`sslkey\` \`${last}\` must be accessible to its owner only (chmod 600)`,
    ]);
  });

  // S196
  it('rejects an applications file with the hash of a secret that others can read', () => {
    const file = join(cwd, 'applications.json');
    const write = (proof: object) => {
      const application = {
        client_id: 'harbour',
        name: 'Harbour',
        organization_id: 'harbour',
        redirect_uris: ['https://harbour.example/callback'],
        scopes: ['openid'],
      };
      writeFileSync(file, JSON.stringify({ applications: [{ ...application, ...proof }] }));
      chmodSync(file, 0o644);
    };
    const read = () => readApplicationsFile(file, createServiceCatalogue());
    write({});
    expect(read()).toHaveLength(1);
    write({ secret_sha256: KEY });
    expect(read).toThrow(
      `${file}: a file with \`secret_sha256\` must be accessible to its owner only (chmod 600)`,
    );
    chmodSync(file, 0o600);
    expect(read()).toHaveLength(1);
  });

  it('rejects settings of production in the sandbox', () => {
    expect(problemsOf({ PROVISO_KEY: KEY })).toEqual([
      'PROVISO_KEY must not be set in the sandbox: it is for production only',
    ]);
  });
});

describe('proviso config', () => {
  // S196
  it('prints the effective settings and their origins, with every secret masked', async () => {
    const { exitCode, stdout, stderr } = await runCommand(['config'], {
      cwd,
      env: { ...PRODUCTION, PROVISO_DATABASE_URL: 'postgres://proviso:hunter2@db.example/proviso' },
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('PROVISO_KEY=***  # environment');
    expect(stdout).toContain('PROVISO_DATABASE_URL=postgres://proviso@db.example/proviso  # environment');
    expect(stdout).toContain('PROVISO_RATE_LIMIT_PER_MINUTE=300  # default');
    expect(stdout).not.toMatch(/hunter2|b5bb9d80/);
  });

  it('validates the configuration with --check, and reads a file with --config', async () => {
    const file = join(cwd, 'settings.json');
    writeFileSync(file, '{ "environment": "production" }');
    const bad = await runCommand(['config', '--check', '--config', file], { cwd });
    expect([bad.exitCode, bad.stdout]).toEqual([2, '']);
    expect(bad.stderr.match(/is missing: production requires/g)).toHaveLength(3);
    const good = await runCommand(['config', '--check'], { cwd, env: PRODUCTION });
    expect([good.exitCode, good.stdout]).toEqual([0, 'the configuration is valid\n']);
  });
});
