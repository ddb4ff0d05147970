/**
 * Measures the time from a key stroke to the redrawn tree, for a policy of fifty checks: `npm run check -- playground-speed`.
 *
 * Reports the times without a limit, since they depend on the machine. A baseline page, which only counts at each key stroke, receives key strokes
 * in turn with the playground: the spread of its times is the part that the machine causes.
 */
import { cpus, loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { openBrowser, openVisit } from '../support/browser.js';
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
const GROUPS = 10;
const STROKES = 500;
/** The pause between two key strokes of a fast typist: fifteen strokes per second. */
const TYPIST_PAUSE_MS = 66;
const WARM_UP = 50;
/** Key strokes in one page before switching to the other. */
const TURN = 20;
/** The maximum duration of a key stroke for display in the next frame of a 60 Hz screen. */
const BOUND_MS = 16;

const CLAIMS = ['identity.age', 'kyc.level', 'financial.net_worth', 'identity.nationality', 'shoe.size'];

/** Returns a policy of ten groups with five checks each; the last check is edited. */
function createPolicy(): string {
  const check = (index: number) => ({
    claim: CLAIMS[index % CLAIMS.length],
    operator: '!=',
    value: index,
  });
  const group = (index: number) => ({
    [index % 2 === 0 ? 'anyOf' : 'allOf']: Array.from({ length: CHECKS / GROUPS }, (_, place) =>
      check(index * (CHECKS / GROUPS) + place),
    ),
  });
  return JSON.stringify(
    { policy: { allOf: Array.from({ length: GROUPS }, (_, index) => group(index)) } },
    undefined,
    2,
  );
}

/** Runs in the page: measures the time from each key event until the changed tree is laid out. */
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

/** The baseline page counts to `steps` at each key stroke. */
const BASELINE_PAGE = `<textarea></textarea><div class="answer"><p class="tree"></p></div><script>
globalThis.steps = 1e6;
const field = document.querySelector('textarea');
field.addEventListener('input', () => {
  let sum = 1;
  for (let step = 0; step < steps; step += 1) sum = (sum * 16807) % 2147483647;
  document.querySelector('.tree').textContent = sum;
});
field.focus();
</script>`;

/** The typing speed. */
type Pace = 'a fast typist' | 'without a pause';

interface Measurement {
  readonly pace: Pace;
  /** Milliseconds from each key stroke to its tree, in ascending order. */
  readonly times: readonly number[];
  /** The same times of the baseline page. */
  readonly counting: readonly number[];
  /** Milliseconds of CPU time of the playground's main thread per key stroke, including rendering. */
  readonly busyMs: number;
}

/** Both pages, which receive key strokes in turn. */
interface Pages {
  readonly playground: Page;
  readonly counting: Page;
}

async function measure({ playground, counting }: Pages, origin: string): Promise<readonly Measurement[]> {
  // Uses the browser's real clock.
  await playground.goto(origin);
  await editorOf(playground).waitFor();
  await replaceText(playground, createPolicy());
  const checkCount = await playground.locator('.check').count();
  if (checkCount !== CHECKS) throw new Error(`the tree must have ${CHECKS} checks (got ${checkCount})`);
  // Places the cursor after the operand of the last check.
  await editorOf(playground).press('ControlOrMeta+End');
  for (let line = 0; line < 6; line += 1) await playground.keyboard.press('ArrowUp');
  await playground.keyboard.press('End');
  await playground.evaluate(WATCH);
  await counting.setContent(BASELINE_PAGE);
  await counting.evaluate(WATCH);
  await strike(playground, WARM_UP);
  await calibrateBaseline({ playground, counting });
  const session = await playground.context().newCDPSession(playground);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  // Without a pause, each key stroke waits until the previous change is painted.
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
): Promise<Measurement> {
  await takeTimes(playground);
  await takeTimes(counting);
  const busyBefore = await busySeconds(session);
  for (let turn = 0; turn < STROKES / TURN; turn += 1) {
    await strike(playground, TURN, pauseMs);
    await strike(counting, TURN, pauseMs);
  }
  const busyMs = (((await busySeconds(session)) - busyBefore) * 1_000) / STROKES;
  const measured = {
    pace,
    times: await takeTimes(playground),
    counting: await takeTimes(counting),
    busyMs,
  };
  for (const { length } of [measured.times, measured.counting]) {
    if (length !== STROKES) throw new Error(`${length} of ${STROKES} key strokes redrew the tree`);
  }
  return measured;
}

/** Calibrates the baseline page so that a key stroke takes about as long as in the playground. */
async function calibrateBaseline({ playground, counting }: Pages): Promise<void> {
  const median = async (page: Page) => {
    await takeTimes(page);
    await strike(page, WARM_UP, TYPIST_PAUSE_MS);
    return percentile(await takeTimes(page), 0.5);
  };
  for (let round = 0; round < 3; round += 1) {
    const factor = (await median(playground)) / (await median(counting));
    await counting.evaluate(`steps *= ${factor}`);
  }
}

/** Returns the milliseconds of each key stroke since the last call, in ascending order. */
async function takeTimes(page: Page): Promise<readonly number[]> {
  const times = (await page.evaluate('globalThis.strokes.splice(0)')) as number[];
  return times.sort((one, other) => one - other);
}

async function strike(page: Page, strokes: number, pauseMs = 0): Promise<void> {
  for (let stroke = 0; stroke < strokes; stroke += 1) {
    await page.keyboard.press(stroke % 2 === 0 ? '7' : 'Backspace');
    if (pauseMs > 0) await setTimeout(pauseMs);
  }
}

/** Returns the CPU time of the main thread, which does not include that of other programs on a busy machine. */
async function busySeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function describe({ pace, times, counting, busyMs }: Measurement): readonly string[] {
  return [
    '',
    `${pace}: key stroke → redrawn tree, laid out`,
    ...spread(times),
    `  CPU time of the main thread: ${busyMs.toFixed(1)} ms per key stroke`,
    ' the baseline page, in turn',
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
    await openVisit(browser, { origins: [files.origin] }),
    await openVisit(browser, { origins: [] }),
  ] as const;
  const [playground, counting] = visits;
  const measured = await measure({ playground: playground.page, counting: counting.page }, files.origin);
  const sizes = [...readBuiltPlayground().assets]
    .filter(([name]) => name.endsWith('.js'))
    .map(([name, { text }]) => [name, compressedBytes(text)] as const);
  process.stdout.write(
    [
      `${CHECKS} checks, ${STROKES} key strokes, Chromium ${browser.version()}, Node ${process.versions.node}`,
      `machine load ${(loadavg()[0] ?? 0).toFixed(1)} on ${cpus().length} processors`,
      ...measured.flatMap(describe),
      '',
      ...sizes.map(([name, bytes]) => `${name}: ${(bytes / 1_000).toFixed(1)} KB compressed`),
      `JavaScript in total: ${(sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / 1_000).toFixed(1)} KB compressed`,
      '',
    ].join('\n'),
  );
  for (const { close } of visits) await close();
  await browser.close();
  await files.stop();
}

if (CHROMIUM === undefined) process.stdout.write('Chromium was not found: nothing was measured.\n');
else await report();
