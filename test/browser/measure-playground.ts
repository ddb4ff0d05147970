/**
 * How long it takes from a key stroke to the redrawn tree, for a policy of fifty checks: `npm run measure:playground`.
 *
 * It reports and asserts nothing: how long something takes is the machine's as well.
 */
import { cpus, loadavg } from 'node:os';
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
const STROKES = 1_000;
const WARM_UP = 50;
const FRAME_MS = 1_000 / 60;

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

interface Measured {
  /** Milliseconds from each key stroke to its tree, the shortest first. */
  readonly times: readonly number[];
  /** Milliseconds that the page's own thread was busy for a key stroke, drawing included, by its processor's count. */
  readonly busyMs: number;
}

async function measure(page: Page, origin: string): Promise<Measured> {
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
  const busyBefore = await busySeconds(session);
  await strike(page, STROKES);
  const busyMs = (((await busySeconds(session)) - busyBefore) * 1_000) / STROKES;
  const times = (await page.evaluate('globalThis.strokes')) as readonly number[];
  if (times.length !== WARM_UP + STROKES) throw new Error(`${times.length} key strokes redrew the tree`);
  return { times: times.slice(WARM_UP).sort((one, other) => one - other), busyMs };
}

async function strike(page: Page, strokes: number): Promise<void> {
  for (let stroke = 0; stroke < strokes; stroke += 1) {
    await page.keyboard.press(stroke % 2 === 0 ? '7' : 'Backspace');
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

async function report(): Promise<void> {
  const files = await startFileServer(PLAYGROUND_FOLDER);
  const browser = await openBrowser();
  const { page, close } = await visit(browser, { origins: [files.origin] });
  const { times, busyMs } = await measure(page, files.origin);
  const sizes = [...builtPlayground().assets]
    .filter(([name]) => name.endsWith('.js'))
    .map(([name, { text }]) => [name, compressedBytes(text)] as const);
  const within = times.filter((time) => time <= FRAME_MS).length;
  process.stdout.write(
    [
      `${CHECKS} checks, ${times.length} key strokes, Chromium ${browser.version()}, Node ${process.versions.node}`,
      `key stroke → redrawn tree, laid out: median ${percentile(times, 0.5)}, 95 of 100 ${percentile(times, 0.95)}, 99 of 100 ${percentile(times, 0.99)}, longest ${percentile(times, 1)}`,
      `the page's thread is busy for ${busyMs.toFixed(1)} ms a key stroke; load of the machine ${(loadavg()[0] ?? 0).toFixed(1)} on ${cpus().length} processors`,
      `within a frame of 60 a second (${FRAME_MS.toFixed(1)} ms): ${within} of ${times.length}`,
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
