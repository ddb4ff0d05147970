/**
 * How long it takes from a key stroke to the redrawn tree, for a policy of fifty checks: `npm run measure:playground`.
 *
 * It reports and asserts nothing: how long something takes is the machine's as well.
 */
import { cpus, loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { openBrowser, visit } from '../support/a-browser.js';
import {
  builtPlayground,
  editorOf,
  PLAYGROUND_FOLDER,
  startFileServer,
  write,
} from '../support/a-playground.js';
import { CHROMIUM } from '../support/chromium.js';
import { compressedBytes } from '../support/compressed-bytes.js';

const CHECKS = 50;
const ROOMS = 10;
const STROKES = 500;
/** Between two key strokes of somebody who types very fast: fifteen a second. */
const TYPIST_PAUSE_MS = 66;
const WARM_UP = 50;
/** What a key stroke may take, so that a screen that draws 60 times a second shows it in its next frame. */
const BOUND_MS = 16;

const CLAIMS = ['identity.age', 'kyc.level', 'financial.net_worth', 'identity.nationality', 'shoe.size'];

/** Ten rooms of five checks, the last of which is typed into. */
function fiftyChecks(): string {
  const check = (index: number) => ({
    claim: CLAIMS[index % CLAIMS.length],
    operator: '!=',
    value: index,
  });
  const room = (index: number) => ({
    [index % 2 === 0 ? 'anyOf' : 'allOf']: Array.from({ length: CHECKS / ROOMS }, (_, place) =>
      check(index * (CHECKS / ROOMS) + place),
    ),
  });
  return JSON.stringify(
    { policy: { allOf: Array.from({ length: ROOMS }, (_, index) => room(index)) } },
    undefined,
    2,
  );
}

/** From the key's own instant to a tree that stands there, laid out. */
const WATCH = `(() => {
  globalThis.strokes = [];
  let pressedAt = 0;
  addEventListener('keydown', ({ timeStamp }) => { pressedAt = timeStamp; }, true);
  new MutationObserver(() => {
    if (pressedAt === 0) return;
    document.querySelector('.tree').getBoundingClientRect();
    globalThis.strokes.push(performance.now() - pressedAt);
    pressedAt = 0;
  }).observe(document.querySelector('.answer'), { subtree: true, childList: true, characterData: true, attributes: true });
})()`;

/** How fast one types. */
type Pace = 'a fast typist' | 'without a pause';

interface Measured {
  readonly pace: Pace;
  /** Milliseconds from each key stroke to its tree, the shortest first. */
  readonly times: readonly number[];
  /** Milliseconds that the page's own thread was busy for a key stroke, drawing included, by its processor's count. */
  readonly busyMs: number;
}

async function measure(page: Page, origin: string): Promise<readonly Measured[]> {
  // With the browser's own clock: one that stands still would also measure.
  await page.goto(origin);
  await editorOf(page).waitFor();
  await write(page, fiftyChecks());
  const shown = await page.locator('.check').count();
  if (shown !== CHECKS) throw new Error(`the tree has ${shown} checks`);
  // Behind the operand of the last check.
  await editorOf(page).press('ControlOrMeta+End');
  for (let line = 0; line < 6; line += 1) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.evaluate(WATCH);
  await strike(page, WARM_UP);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  // Where there is no pause, a key stroke waits until what the one before changed is painted.
  return [
    await measureAt('a fast typist', TYPIST_PAUSE_MS, page, session),
    await measureAt('without a pause', 0, page, session),
  ];
}

async function measureAt(pace: Pace, pauseMs: number, page: Page, session: CDPSession): Promise<Measured> {
  await page.evaluate('globalThis.strokes = []');
  const busyBefore = await busySeconds(session);
  await strike(page, STROKES, pauseMs);
  const busyMs = (((await busySeconds(session)) - busyBefore) * 1_000) / STROKES;
  const times = (await page.evaluate('globalThis.strokes')) as readonly number[];
  if (times.length !== STROKES) throw new Error(`${times.length} key strokes redrew the tree`);
  return { pace, times: [...times].sort((one, other) => one - other), busyMs };
}

async function strike(page: Page, strokes: number, pauseMs = 0): Promise<void> {
  for (let stroke = 0; stroke < strokes; stroke += 1) {
    await page.keyboard.press(stroke % 2 === 0 ? '7' : 'Backspace');
    if (pauseMs > 0) await setTimeout(pauseMs);
  }
}

/** What a busy machine's other programs take does not count here. */
async function busySeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

function percentile(sorted: readonly number[], share: number): string {
  const at = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return `${at.toFixed(1)} ms`;
}

function describe({ pace, times, busyMs }: Measured): readonly string[] {
  const within = times.filter((time) => time < BOUND_MS).length;
  return [
    '',
    `${pace}: key stroke → redrawn tree, laid out`,
    `  median ${percentile(times, 0.5)}, 95 of 100 ${percentile(times, 0.95)}, 99 of 100 ${percentile(times, 0.99)}, longest ${percentile(times, 1)}`,
    `  under ${BOUND_MS} ms: ${within} of ${times.length}`,
    `  the page's thread is busy for ${busyMs.toFixed(1)} ms a key stroke`,
  ];
}

async function report(): Promise<void> {
  const files = await startFileServer(PLAYGROUND_FOLDER);
  const browser = await openBrowser();
  const { page, close } = await visit(browser, { origins: [files.origin] });
  const measured = await measure(page, files.origin);
  const sizes = [...builtPlayground().assets]
    .filter(([name]) => name.endsWith('.js'))
    .map(([name, { text }]) => [name, compressedBytes(text)] as const);
  process.stdout.write(
    [
      `${CHECKS} checks, ${STROKES} key strokes, Chromium ${browser.version()}, Node ${process.versions.node}`,
      `load of the machine ${(loadavg()[0] ?? 0).toFixed(1)} on ${cpus().length} processors`,
      ...measured.flatMap(describe),
      '',
      ...sizes.map(([name, bytes]) => `${name}: ${(bytes / 1_000).toFixed(1)} KB compressed`),
      `JavaScript in all: ${(sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / 1_000).toFixed(1)} KB compressed`,
      '',
    ].join('\n'),
  );
  await close();
  await browser.close();
  await files.stop();
}

if (CHROMIUM === undefined) process.stdout.write('No Chromium: nothing was measured.\n');
else await report();
