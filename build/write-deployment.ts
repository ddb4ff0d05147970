/** Writes the files in `deploy` that follow from the code: dashboard, alert rules, version of the chart. Part of `npm run generate`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dashboardFile } from './monitoring/dashboard.js';
import { ruleFile } from './monitoring/rules.js';
import { MANIFEST } from './packages.js';

const CHART = 'helm/proviso/Chart.yaml';

/** Returns the text of each file, by its path in `deploy`. */
export function deploymentFiles(version: string = MANIFEST.version): ReadonlyMap<string, string> {
  return new Map([
    ['grafana/proviso.json', dashboardFile()],
    ['prometheus/proviso-rules.yaml', ruleFile()],
    [CHART, chart(version)],
  ]);
}

/** Returns the path of a file in `deploy`. */
export function deploymentPath(name: string): string {
  return fileURLToPath(new URL(`../deploy/${name}`, import.meta.url));
}

export function writeDeployment(version?: string): void {
  for (const [name, text] of deploymentFiles(version)) writeFileSync(deploymentPath(name), text);
}

/** Returns the manifest of the chart with a version. */
function chart(version: string): string {
  return readFileSync(deploymentPath(CHART), 'utf8')
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: "${version}"`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDeployment();
