/**
 * How long it takes from a key stroke to the redrawn tree, for a policy of fifty checks: `npm run check -- playground-speed`.
 *
 * It reports and asserts nothing: how long something takes is the machine's as well. How much of it is, shows a page that is typed into
 * in turn with the playground, and that does nothing at a key stroke but count, always equally far: were the machine always as fast, all
 * of its key strokes would take as long.
 */
import { cpus, loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { openBrowser, visit } from '../support/browser.js';
import { CHROMIUM } from '../support/chromium.js';
import { compressedBytes } from '../support/compressed-bytes.js';
import {
  editorOf,
  PLAYGROUND_FOLDER,
  readBuiltPlayground,
  replaceText,
  startFileServer,
} from '../support/playground.js';

const CHECKS = 50;
const ROOMS = 10;
const STROKES = 500;
/** Between two key strokes of somebody who types very fast: fifteen a second. */
const TYPIST_PAUSE_MS = 66;
const WARM_UP = 50;
/** Key strokes into one page before it is the other's turn. */
const TURN = 20;
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

/** The page that counts: `steps` numbers at each key stroke. */
const COUNTING_PAGE = `<textarea></textarea><div class="answer"><p class="tree"></p></div><script>
globalThis.steps = 1e6;
const field = document.querySelector('textarea');
field.addEventListener('input', () => {
  let sum = 1;
  for (let step = 0; step < steps; step += 1) sum = (sum * 16807) % 2147483647;
  document.querySelector('.tree').textContent = sum;
});
field.focus();
</script>`;

/** How fast one types. */
type Pace = 'a fast typist' | 'without a pause';

interface Measured {
  readonly pace: Pace;
  /** Milliseconds from each key stroke to its tree, the shortest first. */
  readonly times: readonly number[];
  /** The same, of the page that counts. */
  readonly counting: readonly number[];
  /** Milliseconds that the playground's own thread was busy for a key stroke, drawing included, by its processor's count. */
  readonly busyMs: number;
}

/** The pages that are typed into in turn. */
interface Pages {
  readonly playground: Page;
  readonly counting: Page;
}

async function measure({ playground, counting }: Pages, origin: string): Promise<readonly Measured[]> {
  // With the browser's own clock: one that stands still would also measure.
  await playground.goto(origin);
  await editorOf(playground).waitFor();
  await replaceText(playground, fiftyChecks());
  const shown = await playground.locator('.check').count();
  if (shown !== CHECKS) throw new Error(`the tree has ${shown} checks`);
  // Behind the operand of the last check.
  await editorOf(playground).press('ControlOrMeta+End');
  for (let line = 0; line < 6; line += 1) await playground.keyboard.press('ArrowUp');
  await playground.keyboard.press('End');
  await playground.evaluate(WATCH);
  await counting.setContent(COUNTING_PAGE);
  await counting.evaluate(WATCH);
  await strike(playground, WARM_UP);
  await countAsLong({ playground, counting });
  const session = await playground.context().newCDPSession(playground);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  // Where there is no pause, a key stroke waits until what the one before changed is painted.
  return [
    await measureAt('a fast typist', TYPIST_PAUSE_MS, { playground, counting }, session),
    await measureAt('without a pause', 0, { playground, counting }, session),
  ];
}

async function measureAt(
  pace: Pace,
  pauseMs: number,
  { playground, counting }: Pages,
  session: CDPSession,
): Promise<Measured> {
  await takeStrokes(playground);
  await takeStrokes(counting);
  const busyBefore = await busySeconds(session);
  for (let turn = 0; turn < STROKES / TURN; turn += 1) {
    await strike(playground, TURN, pauseMs);
    await strike(counting, TURN, pauseMs);
  }
  const busyMs = (((await busySeconds(session)) - busyBefore) * 1_000) / STROKES;
  const measured = {
    pace,
    times: await takeStrokes(playground),
    counting: await takeStrokes(counting),
    busyMs,
  };
  for (const { length } of [measured.times, measured.counting]) {
    if (length !== STROKES) throw new Error(`${length} key strokes redrew the tree`);
  }
  return measured;
}

/** Has one page count as far as takes about what the other takes for a key stroke. */
async function countAsLong({ playground, counting }: Pages): Promise<void> {
  const median = async (page: Page) => {
    await takeStrokes(page);
    await strike(page, WARM_UP, TYPIST_PAUSE_MS);
    return percentile(await takeStrokes(page), 0.5);
  };
  for (let round = 0; round < 3; round += 1) {
    const factor = (await median(playground)) / (await median(counting));
    await counting.evaluate(`steps *= ${factor}`);
  }
}

/** @returns Milliseconds of each key stroke since they were taken last, the shortest first. */
async function takeStrokes(page: Page): Promise<readonly number[]> {
  const times = (await page.evaluate('globalThis.strokes.splice(0)')) as number[];
  return times.sort((one, other) => one - other);
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

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function describe({ pace, times, counting, busyMs }: Measured): readonly string[] {
  return [
    '',
    `${pace}: key stroke → redrawn tree, laid out`,
    ...spread(times),
    `  the page's thread is busy for ${busyMs.toFixed(1)} ms a key stroke`,
    ' in turn with it, the page that counts',
    ...spread(counting),
  ];
}

function spread(times: readonly number[]): readonly string[] {
  const at = (share: number) => `${percentile(times, share).toFixed(1)} ms`;
  const within = times.filter((time) => time < BOUND_MS).length;
  return [
    `  median ${at(0.5)}, 95 of 100 ${at(0.95)}, 99 of 100 ${at(0.99)}, longest ${at(1)}`,
    `  under ${BOUND_MS} ms: ${within} of ${times.length}`,
  ];
}

async function report(): Promise<void> {
  const files = await startFileServer(PLAYGROUND_FOLDER);
  const browser = await openBrowser();
  const visits = [
    await visit(browser, { origins: [files.origin] }),
    await visit(browser, { origins: [] }),
  ] as const;
  const [playground, counting] = visits;
  const measured = await measure({ playground: playground.page, counting: counting.page }, files.origin);
  const sizes = [...readBuiltPlayground().assets]
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
  for (const { close } of visits) await close();
  await browser.close();
  await files.stop();
}

if (CHROMIUM === undefined) process.stdout.write('No Chromium: nothing was measured.\n');
else await report();
