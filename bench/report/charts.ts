/** Draws charts as SVG from the results, readable on light and on dark pages. */
import type { GrowthFigure } from '../figures/growth.js';
import type { PredicateRow, PredicatesFigure } from '../figures/predicates.js';

const STYLE = `<style>
text { font: 12px system-ui, sans-serif; fill: #24292f }
.title { font-size: 14px; font-weight: 600 } .faint { fill: #57606a } .axis { stroke: #8c959f; stroke-width: 1 }
.ours { fill: #0969da } .peer { fill: #8c959f } .limit { fill: #1a7f37 } .spread { stroke: #24292f }
.line { fill: none; stroke-width: 2 } .s0 { stroke: #0969da } .s1 { stroke: #bc4c00 } .s2 { stroke: #8250df }
.d0 { fill: #0969da } .d1 { fill: #bc4c00 } .d2 { fill: #8250df }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .faint { fill: #8d96a0 } .ours { fill: #4493f8 } .peer { fill: #6e7681 } .limit { fill: #3fb950 }
.spread { stroke: #e6edf3 } .s0 { stroke: #4493f8 } .s1 { stroke: #f0883e } .s2 { stroke: #ab7df8 }
.d0 { fill: #4493f8 } .d1 { fill: #f0883e } .d2 { fill: #ab7df8 }
}
</style>`;

const WIDTH = 760;
const LABELS = 220;
const RIGHT = 80;
const BAR = 22;
const TOP = 56;
const CHART_HEIGHT = 320;
const CURVES_LEFT = 92;

/** Draws bars of the ratios to the hand-written function, fastest first, on a log scale. */
export function barChart(figure: PredicatesFigure, title: string, source: string): string {
  const rows = [...figure.rows]
    .filter(({ ratio }) => ratio !== undefined)
    .sort((a, b) => medianOf(a) - medianOf(b));
  const largest = Math.max(10, ...rows.map(medianOf));
  const smallest = Math.min(1, ...rows.map(medianOf));
  const [low, high] = [10 ** Math.floor(Math.log10(smallest)), 10 ** Math.ceil(Math.log10(largest))];
  const x = logScale(low, high, LABELS, WIDTH - RIGHT);
  const height = TOP + rows.length * BAR + 40;
  const bars = rows.map((row, index) => bar(row, TOP + index * BAR, x, x(low)));
  const ticks = powersOfTen(low, high).map(
    (power) =>
      `<line class="axis" opacity=".35" x1="${x(power)}" x2="${x(power)}" y1="${TOP - 6}" y2="${height - 36}"/>` +
      `<text class="faint" x="${x(power)}" y="${height - 20}" text-anchor="middle">${power}×</text>`,
  );
  return svg(
    height,
    title,
    'times the hand-written function, lower is faster, log scale',
    [...ticks, ...bars],
    source,
  );
}

/** The unit of a chart's values. */
interface ChartUnit {
  readonly label: string;
  readonly subtitle: string;
}

const HAND_WRITTEN: ChartUnit = {
  label: '×',
  subtitle: 'times one hand-written evaluation of one check, both scales logarithmic',
};

/** Draws one curve per series. Both scales are logarithmic. */
export function growthChart(
  { title, series }: Pick<GrowthFigure, 'title' | 'series'>,
  source: string,
  unit: ChartUnit = HAND_WRITTEN,
): string {
  const points = series.flatMap((one) => one.points);
  const xs = points.map((point) => point.x);
  const ys = points.map(({ ratio }) => ratio.median);
  const right = WIDTH - 140;
  const x = logScale(Math.min(...xs), Math.max(...xs), CURVES_LEFT, right);
  const [low, high] = [
    10 ** Math.floor(Math.log10(Math.min(...ys))),
    10 ** Math.ceil(Math.log10(Math.max(...ys))),
  ];
  const y = logScale(low, high, CHART_HEIGHT - 60, TOP);
  const grid = [
    ...powersOfTen(low, high).map(
      (power) =>
        `<line class="axis" opacity=".35" x1="${CURVES_LEFT}" x2="${right}" y1="${y(power)}" y2="${y(power)}"/>` +
        `<text class="faint" x="${CURVES_LEFT - 8}" y="${y(power) + 4}" text-anchor="end">${power.toLocaleString('en')}${unit.label}</text>`,
    ),
    ...[...new Set(xs)].map(
      (at) =>
        `<text class="faint" x="${x(at)}" y="${CHART_HEIGHT - 40}" text-anchor="middle">${at.toLocaleString('en')}</text>`,
    ),
  ];
  const lines = series.map(({ name, points: curvePoints }, index) => {
    const path = curvePoints.map((point) => `${x(point.x)},${y(point.ratio.median)}`);
    const dots = curvePoints.map(
      (point) => `<circle class="d${index}" r="3" cx="${x(point.x)}" cy="${y(point.ratio.median)}"/>`,
    );
    const [, last = '0'] = path.at(-1)?.split(',') ?? [];
    const label = `<text class="d${index}" x="${right + 8}" y="${Number(last) + 4}">${escapeXml(name)}</text>`;
    return `<polyline class="line s${index}" points="${path.join(' ')}"/>${dots.join('')}${label}`;
  });
  return svg(CHART_HEIGHT, `Cost against ${title}`, unit.subtitle, [...grid, ...lines], source);
}

function bar(row: PredicateRow, top: number, x: (value: number) => number, left: number): string {
  const { ratio, kind, name, mode } = row;
  if (ratio === undefined) return '';
  const middle = top + BAR / 2;
  const text = ratio.median < 10 ? ratio.median.toFixed(2) : Math.round(ratio.median).toLocaleString('en');
  const end = x(ratio.median);
  return [
    `<text x="${LABELS - 8}" y="${middle + 4}" text-anchor="end">${escapeXml(name)}${mode === 'async' ? ' (async)' : ''}</text>`,
    `<rect class="${kind}" x="${left}" y="${top + 3}" width="${round(Math.max(1, end - left))}" height="${BAR - 6}" rx="2"/>`,
    `<line class="spread" x1="${x(ratio.q1)}" x2="${x(ratio.q3)}" y1="${middle}" y2="${middle}"/>`,
    `<text class="faint" x="${round(Math.max(end, x(ratio.q3)) + 6)}" y="${middle + 4}">${text}×</text>`,
  ].join('');
}

function svg(
  height: number,
  title: string,
  subtitle: string,
  content: readonly string[],
  source: string,
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    STYLE,
    `<text class="title" x="12" y="20">${escapeXml(title)}</text>`,
    `<text class="faint" x="12" y="38">${escapeXml(subtitle)}</text>`,
    ...content,
    `<text class="faint" x="12" y="${height - 4}" style="font-size:10px">${escapeXml(source)}</text>`,
    '</svg>\n',
  ].join('\n');
}

function logScale(low: number, high: number, from: number, to: number): (value: number) => number {
  const span = Math.log10(high) - Math.log10(low) || 1;
  return (value) => round(from + ((Math.log10(value) - Math.log10(low)) / span) * (to - from));
}

function powersOfTen(low: number, high: number): readonly number[] {
  const first = Math.round(Math.log10(low));
  return Array.from({ length: Math.round(Math.log10(high)) - first + 1 }, (_, index) =>
    Number((10 ** (first + index)).toPrecision(1)),
  );
}

function medianOf({ ratio }: PredicateRow): number {
  return ratio?.median ?? 0;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
