/** Accessibility of the playground in each of its states and both themes: automated WCAG 2.2 AA checks, right to left, small and large. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  DESKTOP,
  describeInBrowser,
  findAccessibilityProblems,
  findOverflows,
  PHONE,
} from '../support/browser.js';
import { type Journey, startJourney } from '../support/consent-journey.js';
import { editorOf, openPlayground, readBuiltPlayground, replaceText } from '../support/playground.js';
import { STARTED_AT } from '../support/start-service.js';

/** The way to each state. */
const VISITS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'somebody who passes': async () => undefined,
  'somebody who does not, of whom little is known, and why': async (page) => {
    await page.getByText('Emeka', { exact: true }).click();
    await page.getByRole('tab', { name: 'Explain' }).click();
  },
  'a text that is no query': (page) =>
    replaceText(page, '{ "check": { "claim": "age", "operator": ">>", "value": 1 } }'),
  'a claim that no scope covers': async (page) => {
    await replaceText(page, '{ "check": { "claim": "shoe.size", "operator": "isDefined" } }');
    await page.getByRole('tab', { name: 'Scopes' }).click();
  },
  'what projections disclose, with the scopes': async (page) => {
    await page.getByRole('button', { name: /^Only a part/ }).click();
    await page.getByRole('tab', { name: 'Scopes' }).click();
  },
  'all credentials, and the program': async (page) => {
    await page.getByText('Hugo', { exact: true }).click();
    await page.locator('summary').click();
    await page.getByRole('tab', { name: 'TypeScript' }).click();
  },
  'credentials of one’s own that are wrong': async (page) => {
    await page.getByText('Your own…').click();
    await editorOf(page, 'Credentials, as JSON').waitFor();
    await replaceText(page, '[{}', 'Credentials, as JSON');
  },
  suggestions: async (page) => {
    await replaceText(page, '');
    await page.keyboard.type('{ "check": { "claim": "kyc.');
    await page.locator('.cm-tooltip-autocomplete li').first().waitFor();
  },
};

/**
 * The list of suggestions is pushed by the arrow keys while the keyboard stays in the editor (`aria-activedescendant`). axe knows that of the
 * list of a combobox, and a text of many lines is none.
 */
function isProblem(found: string): boolean {
  return !/^(?:light|dark): scrollable-region-focusable: .*<ul id="cm-ac-[^>]*role="listbox"/.test(found);
}

describeInBrowser('the playground', () => {
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({ listener: { playground: readBuiltPlayground() } });
  });

  afterAll(() => journey?.stop());

  it.each(Object.entries(VISITS))(
    'with %s has nothing that axe finds in either theme, on a desk as on a phone, and fits its window from 320 pixels on, in either direction',
    async (_name, way) => {
      for (const viewport of [DESKTOP, PHONE]) {
        const { page, foreignRequests, problems, close } = await journey.openVisit({ viewport });
        await openPlayground(page, `${journey.origin}/playground`, STARTED_AT);
        await way(page);
        expect((await findAccessibilityProblems(page)).filter(isProblem)).toEqual([]);
        // A window that is made narrower is a phone's in all but the finger.
        if (viewport === DESKTOP) expect(await findOverflows(page)).toEqual([]);
        expect([foreignRequests, problems]).toEqual([[], []]);
        await close();
      }
    },
  );
});
