/** Renders the Helm chart with `helm`, which must be installed. */
import { execFileSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { deploymentPath } from '../../build/write-deployment.js';

/** The values that a deployment must set, and those that render every template. */
export const CHART_VALUES = [
  'issuer=https://claims.example/v2',
  'existingSecret=proviso',
  'podMonitor.enabled=true',
  'ingress.enabled=true',
  'ingress.host=claims.example',
  'ingress.tlsSecret=claims-tls',
];

/** A container, with the members that tests read. */
interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext: object;
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string };
}

/** A Kubernetes object, with the members that tests read. */
export interface Manifest {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: object;
        readonly containers: readonly [Container];
      };
    };
  };
}

/** Returns the objects of the chart by their kind; of several objects of one kind, the last. @param values - As for `--set`, besides {@link CHART_VALUES}. */
export function renderChart(...values: readonly string[]): ReadonlyMap<string, Manifest> {
  const args = [...CHART_VALUES, ...values].flatMap((value) => ['--set', value]);
  const text = execFileSync('helm', ['template', 'test', deploymentPath('helm/proviso'), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  return new Map(manifests.map((manifest) => [manifest.kind, manifest]));
}
