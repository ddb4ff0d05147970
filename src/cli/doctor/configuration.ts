/** Checks the settings and the files that they name. */

import { createServiceCatalogue } from '../../service/index.js';
import { readCatalogueFile } from '../catalogue-file.js';
import type { ReadConfiguration } from '../configuration/read-configuration.js';
import { type Configuration, settingEntries, variableOf } from '../configuration/settings.js';
import { readApplicationsFile, readIssuersFile, readSignInProvidersFile } from '../deployment-files.js';
import { isLoopback } from '../loopback.js';
import { readSignInKeys } from '../open-service.js';
import { type Finding, findingsAbout, runCheck } from './finding.js';

/** Reports every problem of the settings; without problems, the environment, the number of settings, and which secrets are given. */
export function checkSettings({ values, origins, problems }: ReadConfiguration): readonly Finding[] {
  const { ok, fail } = findingsAbout('configuration');
  if (problems.length > 0)
    return problems.map((problem) =>
      fail(problem, 'see `proviso config --help` and docs/reference/configuration.md'),
    );
  const given = [...origins].filter(([, origin]) => origin !== 'default').map(([name]) => name);
  const byName: Readonly<Record<string, unknown>> = values;
  const secrets = settingEntries().filter(
    ([name, { secret, type }]) =>
      secret && given.includes(name) && type.containsSecret?.(byName[name]) !== false,
  );
  const named = secrets.map(([name]) => variableOf(name)).join(', ');
  return [
    ok(
      `valid for ${values.environment}, ${given.length} ${given.length === 1 ? 'setting' : 'settings'} given${named === '' ? '' : `; secrets: ${named}; files of secrets are private`}`,
    ),
  ];
}

/** Reads each file that the settings name. */
export async function checkFiles(values: Configuration): Promise<readonly Finding[]> {
  const { catalogue, issuers, applications, signInKeys, signInProviders } = values;
  const serviceCatalogue = () =>
    createServiceCatalogue(catalogue === undefined ? undefined : readCatalogueFile(catalogue));
  const files: readonly (readonly [
    name: string,
    path: string | undefined,
    read: (path: string) => unknown,
  ])[] = [
    ['catalogue', catalogue, readCatalogueFile],
    ['issuers', issuers, (path) => readIssuersFile(path, serviceCatalogue())],
    ['applications', applications, (path) => readApplicationsFile(path, serviceCatalogue())],
    ['signInKeys', signInKeys, readSignInKeys],
    ['signInProviders', signInProviders, readSignInProvidersFile],
  ];
  const findings: Finding[] = [];
  for (const [name, path, read] of files) {
    if (path === undefined) continue;
    const subject = 'files';
    findings.push(
      ...(await runCheck(subject, async () => {
        await read(path);
        return findingsAbout(subject).ok(`${variableOf(name)}: ${path} is valid`);
      })),
    );
  }
  return findings;
}

/** Checks the public address, and how requests reach the service. */
export function checkIssuer({
  environment,
  issuer,
  host,
  trustedProxies,
}: Configuration): readonly Finding[] {
  const { ok, warn } = findingsAbout('issuer');
  if (environment !== 'production')
    return [
      isLoopback(host)
        ? ok('the sandbox is reachable on this machine only')
        : warn(
            `the sandbox listens on ${host}, so other machines may reach it with its documented secrets`,
            'set PROVISO_HOST to a loopback address, unless a container or a firewall limits who can connect',
          ),
    ];
  // Reported as a problem of the settings.
  if (issuer === undefined) return [];
  const findings: Finding[] = [];
  const name = new URL(issuer).hostname;
  findings.push(
    isLoopback(name)
      ? warn(
          `${issuer} has a loopback host, which only this machine reaches`,
          'PROVISO_ISSUER must be the public https URL for applications and browsers elsewhere',
        )
      : ok(`${issuer} uses https`),
  );
  if (trustedProxies === undefined)
    findings.push(
      warn(
        `PROVISO_TRUSTED_PROXIES is not set, and the service itself does not terminate TLS: all callers share the address of the proxy${isLoopback(host) ? ' on this machine' : ''} and its rate limit`,
        'set it to the address of the proxy that terminates TLS',
      ),
    );
  return findings;
}

/** Checks what the audit log contains. */
export function checkAudit({ environment, audit, auditRetentionDays }: Configuration): Finding {
  const { ok, warn } = findingsAbout('audit log');
  const kept =
    auditRetentionDays === 0
      ? 'kept forever'
      : `kept for ${auditRetentionDays} ${auditRetentionDays === 1 ? 'day' : 'days'}`;
  if (environment !== 'production' || audit === 'all')
    return ok(`${audit}${audit === 'off' ? '' : `, ${kept}`}`);
  return audit === 'changes'
    ? warn(
        `\`changes\`, ${kept}: rejections and disclosures of claims are not recorded`,
        'set PROVISO_AUDIT to `all` to record them',
      )
    : warn('`off` in production: nothing is recorded', 'set PROVISO_AUDIT to `all`');
}
