/** The dashboard and the alert rules refer to metrics, labels and reasons that a running service has (S388). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { deploymentPath } from '../../build/write-deployment.js';
import { ROUTES } from '../../src/http/routes/catalogue.js';
import { ERRORS } from '../../src/service/index.js';
import { METRICS, type MetricDefinition, PROCESS_METRICS } from '../../src/telemetry/metrics.js';
import { type ServeProcess, startServe } from '../support/run-command.js';
import { exposedSeries, parseExpression } from './promql.js';

/** Labels that Prometheus and the supervisor add. */
const ADDED_LABELS = ['job', 'instance', 'process'];
const MARKER = 'zzcallerinput';

/** Every expression, by the panel, variable or alert that contains it. */
const EXPRESSIONS: readonly (readonly [string, string])[] = [...dashboardExpressions(), ...ruleExpressions()];

function dashboardExpressions() {
  const dashboard = JSON.parse(readFileSync(deploymentPath('grafana/proviso.json'), 'utf8'));
  const panels: { title: string; targets?: { expr: string }[] }[] = dashboard.panels;
  const variables: { name: string; type: string; query: string }[] = dashboard.templating.list;
  return [
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => [`panel ${title}`, expr] as const),
    ),
    ...variables
      .filter(({ type }) => type === 'query')
      .map(({ name, query }) => [`variable ${name}`, query] as const),
  ];
}

function ruleExpressions() {
  const { groups } = parse(readFileSync(deploymentPath('prometheus/proviso-rules.yaml'), 'utf8'));
  const rules: { alert: string; expr: string }[] = groups.flatMap(
    (group: { rules: object[] }) => group.rules,
  );
  return rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const);
}

describe('the dashboard and the alert rules', () => {
  let cwd: string;
  let serving: ServeProcess | undefined;
  let exposition: string;

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'proviso-monitoring-'));
    let written = '';
    // Several processes, since the supervisor has metrics as well.
    serving = await startServe({
      cwd,
      env: { PROVISO_PROCESSES: '2', PROVISO_METRICS_PORT: '0' },
      onError: (text) => {
        written += text;
      },
    });
    const { url, curlLine } = serving;
    const token = /Bearer ([\w.-]+)/.exec(curlLine)?.[1] ?? '';
    const ask = (path: string, bearer: string) =>
      fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${bearer}` } });
    await ask('/presets/kyc_level', token);
    await ask(`/presets/${MARKER}`, token);
    await ask(`/${MARKER}?${MARKER}=${MARKER}`, MARKER);
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: MARKER,
      client_id: MARKER,
    });
    await fetch(`${url}/oauth/token`, { method: 'POST', body });
    // Standard error may arrive after standard output.
    const metricsUrl = await vi.waitUntil(() => /metrics: (\S+)\s/.exec(written)?.[1], { timeout: 60_000 });
    exposition = await (await fetch(metricsUrl)).text();
  });

  afterAll(async () => {
    await serving?.stop('SIGKILL');
    rmSync(cwd, { recursive: true });
  });

  const unknownIn = (expression: string) => {
    const exposed = exposedSeries(exposition);
    return parseExpression(expression)
      .selectors.map(({ name }) => name)
      .filter((name) => !exposed.has(name));
  };

  // S388
  it.each(EXPRESSIONS)('%s refers only to metrics that a running service exposes', (_name, expression) => {
    expect(unknownIn(expression)).toEqual([]);
    expect(parseExpression(expression).selectors.length).toBeGreaterThan(0);
  });

  it('a metric that does not exist is reported for each of the expressions', () => {
    for (const [name, expression] of EXPRESSIONS) {
      const invented = expression.replace(/\bproviso_[a-z0-9_]+/, 'proviso_invented_total');
      expect([name, unknownIn(invented)]).toEqual([name, ['proviso_invented_total']]);
    }
    expect(
      unknownIn('rate(proviso_http_request_seconds[5m]) > on (job) proviso_refusals_total_count'),
    ).toEqual(['proviso_http_request_seconds', 'proviso_refusals_total_count']);
  });

  it.each(EXPRESSIONS)('%s matches and groups by labels of its metrics', (_name, expression) => {
    const { selectors, labels: used } = parseExpression(expression);
    const series = exposedSeries(exposition);
    const labelsOf = (name: string) => {
      const metric: string = series.get(name) ?? '';
      const known: Readonly<Record<string, MetricDefinition>> = METRICS;
      const le = name.endsWith('_bucket') ? ['le'] : [];
      return [...Object.keys(known[metric]?.labels ?? {}), ...le, ...ADDED_LABELS];
    };
    for (const { name, matchers } of selectors) {
      const labels = labelsOf(name);
      expect(matchers.map(({ label }) => label).filter((label) => !labels.includes(label))).toEqual([]);
      expect(used.filter((label) => !labels.includes(label))).toEqual([]);
      const reasons = matchers.filter(({ label }) => label === 'reason').map(({ value }) => value);
      expect(reasons.filter((reason) => !(reason in ERRORS))).toEqual([]);
    }
  });

  it('every metric of the list is exposed, and every other exposed metric describes the process or Node', () => {
    const metrics = new Set(exposedSeries(exposition).values());
    expect(Object.keys(METRICS).filter((name) => !metrics.has(name))).toEqual([]);
    expect(PROCESS_METRICS.filter((name) => !metrics.has(name))).toEqual([]);
    const others = [...metrics].filter((name) => !(name in METRICS));
    expect(others.filter((name) => !/^proviso_(?:process|nodejs)_/.test(name))).toEqual([]);
  });

  it('every metric of the list is on the dashboard or in a rule', () => {
    const series = exposedSeries(exposition);
    const used = new Set(
      EXPRESSIONS.flatMap(([, expression]) => parseExpression(expression).selectors).map(({ name }) =>
        series.get(name),
      ),
    );
    expect([...Object.keys(METRICS), ...PROCESS_METRICS].filter((name) => !used.has(name))).toEqual([]);
  });

  // S388
  it('the values of labels are defined by the program, and contain nothing that a caller sent', () => {
    expect(exposition).not.toContain(MARKER);
    const operations = ROUTES.flatMap(({ operations }) => Object.values(operations)).map(({ id }) => id);
    const samples = [...exposition.matchAll(/^(\w+)\{(.*)\} \S+$/gm)];
    const labels = samples.flatMap(([, series = '', pairs = '']) =>
      [...pairs.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => ({ series, label, value })),
    );
    const ofRequests = labels.filter(
      ({ series, label }) => series === 'proviso_http_request_seconds_count' && label === 'operation',
    );
    expect(ofRequests.length).toBeGreaterThan(2);
    expect(ofRequests.filter(({ value }) => value !== 'none' && !operations.includes(value))).toEqual([]);
    const ofRefusals = labels.filter(
      ({ series, label }) => series === 'proviso_refusals_total' && label === 'reason',
    );
    expect(ofRefusals.map(({ value }) => value).sort()).toEqual(
      expect.arrayContaining(['invalid_client', 'not_found', 'preset_not_found']),
    );
    expect(ofRefusals.filter(({ value }) => !(value in ERRORS))).toEqual([]);
  });
});
