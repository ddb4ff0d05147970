/** Checks that every page must pass: accessibility at four widths, the keyboard, and overflows. */
import type { Page } from 'playwright-core';
import {
  DESKTOP,
  findAccessibilityProblems,
  findOverflows,
  findOverflowsOfLargeText,
  PHONE,
  SMALL_PHONE,
  TABLET,
} from './browser.js';

/** The controls that a person can operate. */
const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary';

/** Lists problems with the keyboard, with accessibility at four widths (the light theme at all, the dark theme at two), and overflows. */
export async function findPageProblems(page: Page): Promise<readonly string[]> {
  const found: string[] = [...(await findKeyboardProblems(page))];
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    found.push(...(await findAccessibilityProblems(page)));
  }
  for (const viewport of [SMALL_PHONE, TABLET]) {
    await page.setViewportSize(viewport);
    found.push(...(await findAccessibilityProblems(page, ['light'])));
  }
  return [...found, ...(await findOverflows(page)), ...(await findOverflowsOfLargeText(page))];
}

/** Lists the visible controls that the Tab key does not reach in their order, or that do not show that they have the focus. */
async function findKeyboardProblems(page: Page): Promise<readonly string[]> {
  const expected = await listControls(page);
  // The focus starts at the first element of the page.
  await page.evaluate(
    "document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute('tabindex')",
  );
  const reached: string[] = [];
  const unmarked: string[] = [];
  for (const _control of expected) {
    await page.keyboard.press('Tab');
    const [control, isMarked] = (await page.evaluate(`(() => {
      const focused = document.activeElement;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused);
      const isMarked = focused.matches(':focus-visible')
        && ((outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none');
      return [(${DESCRIBE})(focused), isMarked];
    })()`)) as readonly [string, boolean];
    reached.push(control);
    if (!isMarked) unmarked.push(`${control} does not show that it has the focus`);
  }
  return reached.join('\n') === expected.join('\n')
    ? unmarked
    : [...unmarked, `the Tab key reaches\n${reached.join('\n')}\nof\n${expected.join('\n')}`];
}

/** Source of a function that runs in the page. Describes a control, without the query of its link, whose tokens and ids differ at each visit. */
const DESCRIBE = `(element) => [
  element.localName,
  element.name,
  element.type,
  element.value,
  (element.getAttribute('href') ?? '').replace(/[?].*/, ''),
].filter(Boolean).join(' ')`;

/** Describes the visible controls of a page, in their order. */
export async function listControls(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(CONTROLS)})]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled)
      .map(${DESCRIBE})`,
  )) as readonly string[];
}
