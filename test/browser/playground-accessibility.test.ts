/**
 * Accessibility of the playground in each of its states and both themes: automated WCAG 2.2 AA checks on a phone and a desktop, and overflow
 * checks at five widths in both writing directions.
 */
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
import {
  choosePerson,
  editorOf,
  openPlayground,
  readBuiltPlayground,
  replaceText,
} from '../support/playground.js';
import { STARTED_AT } from '../support/start-service.js';

const OTHER = 'Other policy, as JSON';

/** Opens each state of the playground. */
const VISITS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a person who passes': async () => undefined,
  'a person who does not pass, with explanation': async (page) => {
    await choosePerson(page, 'Emeka');
    await page.getByRole('tab', { name: 'Explain' }).click();
  },
  'the description of a policy, in Arabic': async (page) => {
    await page.getByRole('tab', { name: 'In words' }).click();
    await page.getByLabel('Language').selectOption('ar');
  },
  'an invalid query': (page) =>
    replaceText(page, '{ "check": { "claim": "age", "operator": ">>", "value": 1 } }'),
  'a claim that no scope covers': async (page) => {
    await replaceText(page, '{ "check": { "claim": "shoe.size", "operator": "isDefined" } }');
    await page.getByRole('tab', { name: 'Scopes' }).click();
  },
  'projections with their scopes': async (page) => {
    await page.getByRole('button', { name: /^Only a part/ }).click();
    await page.getByRole('tab', { name: 'Scopes' }).click();
  },
  'all credentials and the generated program': async (page) => {
    await choosePerson(page, 'Hugo');
    await page.locator('summary').click();
    await page.getByRole('tab', { name: 'TypeScript' }).click();
  },
  'invalid custom credentials': async (page) => {
    await page.getByText('Your own…').click();
    await editorOf(page, 'Credentials, as JSON').waitFor();
    await replaceText(page, '[{}', 'Credentials, as JSON');
  },
  'a comparison and expected results': async (page) => {
    await page.getByRole('combobox', { name: 'Ada' }).selectOption('true');
    await page.getByRole('combobox', { name: 'Bruno' }).selectOption('true');
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Start with a copy' }).click();
    await editorOf(page, OTHER).waitFor();
    await replaceText(page, '{ "check": { "claim": "kyc.passed", "operator": "==", "value": true } }', OTHER);
  },
  'a catalogue with problems': async (page) => {
    await page.getByRole('tab', { name: 'Catalogue' }).click();
    await page.getByRole('button', { name: 'Start with an example' }).click();
    await editorOf(page, 'Catalogue, as JSON').waitFor();
    await replaceText(page, '{ "claims": [{}] }', 'Catalogue, as JSON');
  },
  suggestions: async (page) => {
    await replaceText(page, '');
    await page.keyboard.type('{ "check": { "claim": "kyc.');
    await page.locator('.cm-tooltip-autocomplete li').first().waitFor();
  },
};

/**
 * Ignores one false positive: the list of suggestions is operated by arrow keys while the focus stays in the editor
 * (`aria-activedescendant`), which axe only recognizes for comboboxes.
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
    'passes axe with %s in both themes and sizes, and fits windows from 320 pixels in both writing directions',
    async (_name, openState) => {
      for (const viewport of [DESKTOP, PHONE]) {
        const { page, foreignRequests, problems, close } = await journey.openVisit({ viewport });
        await openPlayground(page, `${journey.origin}/playground`, STARTED_AT);
        await openState(page);
        expect((await findAccessibilityProblems(page)).filter(isProblem)).toEqual([]);
        // Overflows of the phone are covered by resizing the desktop window.
        if (viewport === DESKTOP) expect(await findOverflows(page)).toEqual([]);
        expect([foreignRequests, problems]).toEqual([[], []]);
        await close();
      }
    },
  );
});
