/** Work in the playground: files, kept work, expected results, comparison, own catalogues, themes, phones. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { EXAMPLE_CATALOGUE } from '../../src/web/playground/model/catalogue.js';
import {
  describeInBrowser,
  findOverflows,
  openBrowser,
  openVisit,
  PHONE,
  type Visit,
} from '../support/browser.js';
import {
  choosePerson,
  editorOf,
  exportPanelOf,
  type FileServer,
  openPlayground,
  PLAYGROUND_FOLDER,
  replaceText,
  startFileServer,
} from '../support/playground.js';
import { STARTED_AT } from '../support/start-service.js';

const ADULT = '{ "check": { "claim": "identity.age", "operator": ">=", "value": 18 } }';
const WITHOUT_PICKERS = 'delete window.showOpenFilePicker; delete window.showSaveFilePicker;';
const RECORD_REVOKED_URLS = 'globalThis.revoked = []; URL.revokeObjectURL = (url) => revoked.push(url);';

describeInBrowser('work in the playground', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let files: FileServer;

  beforeAll(async () => {
    [browser, files] = await Promise.all([openBrowser(), startFileServer(PLAYGROUND_FOLDER)]);
  });

  afterAll(async () => {
    await browser?.close();
    await files?.stop();
  });

  /** Opens the playground in a new visit, and asserts that it sent no cross-origin request and had no errors. */
  async function withPlayground(
    steps: (page: Page) => Promise<void>,
    { script, ...options }: Partial<Parameters<typeof openVisit>[1]> & { readonly script?: string } = {},
  ): Promise<void> {
    const opened: Visit = await openVisit(browser, { origins: [files.origin], ...options });
    if (script !== undefined) await opened.page.addInitScript(script);
    await openPlayground(opened.page, files.origin, STARTED_AT);
    await steps(opened.page);
    expect([opened.foreignRequests, opened.problems]).toEqual([[], []]);
    await opened.close();
  }

  const verdict = (page: Page) => page.locator('.verdict-word').textContent();
  const message = (page: Page) => page.locator('.tools-message');

  it('formats a policy, opens and saves files by upload and download, and keeps the work over a reload', async () => {
    await withPlayground(
      async (page) => {
        await replaceText(page, '{"policy":{"allOf":[{"claim":"identity.age","operator":">=","value":18}]}}');
        await page.getByRole('button', { name: 'Format' }).click();
        expect(await page.locator('.policy .cm-line').count()).toBe(7);
        await replaceText(page, '{"check": 1e999}');
        await page.getByRole('button', { name: 'Format' }).click();
        expect(await message(page).textContent()).toBe('Fix the problems first');
        // Open and save.
        const folder = mkdtempSync(join(tmpdir(), 'proviso-playground-'));
        onTestFinished(() => rmSync(folder, { recursive: true }));
        const path = join(folder, 'adult.json');
        writeFileSync(path, `{ "$schema": "https://example.org/query.json",${ADULT.slice(1)}`);
        const [chooser] = await Promise.all([
          page.waitForEvent('filechooser'),
          page.getByRole('button', { name: 'Open', exact: true }).click(),
        ]);
        await chooser.setFiles(path);
        await page.getByText('Opened adult.json').waitFor();
        expect([await verdict(page), await page.locator('#policy-title').textContent()]).toEqual([
          'Ada passes',
          'Policy adult.json',
        ]);
        await page.getByRole('button', { name: 'Format' }).click();
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Save' }).click(),
        ]);
        expect(download.suggestedFilename()).toBe('adult.json');
        // Some browsers read the file only after the click, so its URL must not be revoked yet.
        expect(await page.evaluate('revoked')).toEqual([]);
        const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as unknown;
        expect(saved).toEqual({ $schema: 'https://example.org/query.json', ...JSON.parse(ADULT) });
        // Reload, and go back to the examples.
        await replaceText(page, ADULT);
        await choosePerson(page, 'Bruno');
        await page.reload();
        await editorOf(page).waitFor();
        expect([await verdict(page), await editorOf(page).textContent()]).toEqual([
          'Bruno does not pass',
          ADULT,
        ]);
        await page.getByRole('button', { name: 'Start again' }).click();
        expect(await verdict(page)).toBe('Ada passes');
        await page.reload();
        await editorOf(page).waitFor();
        expect(await page.getByText('your work from the last visit').count()).toBe(0);
        expect(await page.locator('.worked[aria-pressed="true"]').textContent()).toContain(
          'Recent KYC check',
        );
      },
      { script: `${WITHOUT_PICKERS} ${RECORD_REVOKED_URLS}` },
    );
  });

  it('does not replace newer work of another tab when a tab is closed, nor restore work that was deleted there', async () => {
    await withPlayground(async (page) => {
      const workOf = (tab: Page) => tab.evaluate("localStorage.getItem('proviso.playground.work')");
      await replaceText(page, ADULT);
      await expect.poll(() => workOf(page)).toContain('18');
      const newer = await page.context().newPage();
      await openPlayground(newer, files.origin, STARTED_AT);
      await replaceText(newer, ADULT.replace('18', '21'));
      await expect.poll(() => workOf(newer)).toContain('21');
      await page.goto('about:blank');
      expect(await workOf(newer)).toContain('21');
      const last = await page.context().newPage();
      await openPlayground(last, files.origin, STARTED_AT);
      await last.getByRole('button', { name: 'Start again' }).click();
      await newer.goto('about:blank');
      expect(await workOf(last)).toBeNull();
    });
  });

  it('removes the notice about an unreadable link when the user starts again', async () => {
    await withPlayground(async (page) => {
      await replaceText(page, ADULT);
      await page.reload();
      await page.getByText('your work from the last visit').waitFor();
      await page.evaluate("location.hash = '#v1.x'");
      await page.getByText('This link is incomplete').waitFor();
      await page.getByRole('button', { name: 'Start again' }).click();
      await page.getByText('your work from the last visit').waitFor({ state: 'detached' });
      expect(await page.getByText('This link is incomplete').count()).toBe(0);
      expect(page.url()).not.toContain('#');
    });
  });

  it('removes the notice about an unreadable link when the user shares a link, which replaces it in the address', async () => {
    await withPlayground(
      async (page) => {
        await page.evaluate("location.hash = '#v1.x'");
        await page.getByText('This link is incomplete').waitFor();
        await page.getByRole('button', { name: 'Share' }).click();
        await page.getByText('Link copied').waitFor();
        expect(await page.getByText('This link is incomplete').count()).toBe(0);
        expect(page.url()).not.toContain('#v1.x');
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  it('does not claim that an invalid policy has a result or is a projection if it was never valid', async () => {
    await withPlayground(async (page) => {
      const shared = { query: '{', person: 'ada', other: ADULT };
      await page.goto('about:blank');
      await page.goto(`${files.origin}#v1.${Buffer.from(JSON.stringify(shared)).toString('base64url')}`);
      await editorOf(page).waitFor();
      const foot = page.locator('.policy .card-foot');
      expect(await foot.textContent()).toBe('1 problem, marked in the text.');
      await page.getByText('The policy is not valid yet.').waitFor();
      await page.getByRole('tab', { name: 'Compare' }).click();
      await page.getByText('This policy is not valid yet.').waitFor();
      await replaceText(page, ADULT);
      await replaceText(page, '{');
      expect(await foot.textContent()).toBe('1 problem, marked in the text. The last result is still shown.');
    });
  });

  it('keeps what the user types while a file is saved', async () => {
    const script = `
      const written = new Promise((resolve) => { globalThis.finishWriting = resolve; });
      const stream = { write: () => written, close: async () => undefined };
      window.showSaveFilePicker = async () => ({ name: 'slow.json', createWritable: async () => stream });`;
    await withPlayground(
      async (page) => {
        await replaceText(page, ADULT);
        await page.getByRole('button', { name: 'Save' }).click();
        await replaceText(page, ADULT.replace('18', '99'));
        await page.evaluate('finishWriting()');
        await page.getByText('Saved slow.json').waitFor();
        expect(await editorOf(page).textContent()).toBe(ADULT.replace('18', '99'));
      },
      { script },
    );
  });

  it('does not tell screen readers that a projection or an invalid query passes or fails', async () => {
    await withPlayground(async (page) => {
      await page.getByRole('button', { name: /^Only a part/ }).click();
      await page
        .getByText(/^Discloses/)
        .first()
        .waitFor();
      expect(await page.locator('.answer').textContent()).not.toMatch(/passes: |fails: /);
      await replaceText(page, '{');
      expect(await page.locator('.verdict').textContent()).not.toMatch(/passes: |fails: /);
    });
  });

  it('marks errors at their place in a file whose lines end with carriage return and line feed, and keeps these when it saves the file', async () => {
    await withPlayground(
      async (page) => {
        const [chooser] = await Promise.all([
          page.waitForEvent('filechooser'),
          page.getByRole('button', { name: 'Open', exact: true }).click(),
        ]);
        const text =
          '{\r\n"check": {\r\n"claim": "identity.age",\r\n"operator": ">>",\r\n"value": 18\r\n}\r\n}';
        await chooser.setFiles({
          name: 'windows.json',
          mimeType: 'application/json',
          buffer: Buffer.from(text),
        });
        await page.getByText('Opened windows.json').waitFor();
        expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['">>"']);
        await page.getByRole('button', { name: /^Line 4/ }).click();
        await page.keyboard.insertText('">="');
        expect(await verdict(page)).toBe('Ada passes');
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Save' }).click(),
        ]);
        expect(readFileSync(await download.path(), 'utf8')).toBe(text.replace('>>', '>='));
      },
      { script: WITHOUT_PICKERS },
    );
  });

  it('marks errors at their place in a query that a link contains, if its lines end with carriage return and line feed', async () => {
    await withPlayground(async (page) => {
      const query = ADULT.replace('>=', '>>').replaceAll(' ', '\r\n');
      await page.evaluate(
        `location.hash = '#v1.' + btoa(${JSON.stringify(JSON.stringify({ query, person: 'ada' }))})`,
      );
      await page.getByText('Not a valid query yet').first().waitFor();
      expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['">>"']);
    });
  });

  it('keeps a link in the address when the link to the content is followed, so that a reload opens it again', async () => {
    await withPlayground(async (page) => {
      const query = ADULT.replace('18', '19');
      const shared = { query, person: 'bruno' };
      await page.evaluate(`location.hash = '#v1.' + btoa(${JSON.stringify(JSON.stringify(shared))})`);
      await page.getByText('Bruno does not pass').first().waitFor();
      const link = page.url();
      await page.locator('.skip').focus();
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
      expect(page.url()).toBe(link);
      await page.reload();
      await editorOf(page).waitFor();
      expect(await editorOf(page).textContent()).toContain(query);
    });
  });

  it('reports the problems of a catalogue in a link without opening its tab', async () => {
    await withPlayground(async (page) => {
      const shared = { query: ADULT, person: 'ada', catalogue: '{ "claims": 1 }' };
      await page.evaluate(`location.hash = '#v1.' + btoa(${JSON.stringify(JSON.stringify(shared))})`);
      await page.getByRole('tab', { name: /^Catalogue: \d+ problems?$/ }).waitFor();
      const foot = page.locator('.policy .card-foot');
      expect(await foot.textContent()).toContain('The catalogue has problems');
      await page.getByRole('tab', { name: /^Catalogue/ }).click();
      await page.getByRole('button', { name: 'Use the default catalogue' }).click();
      await page.getByRole('tab', { name: 'Catalogue', exact: true }).waitFor();
      expect(await foot.textContent()).not.toContain('has problems');
    });
  });

  it('shows the problem of a claim path that contains a backtick with the whole path as code', async () => {
    await withPlayground(async (page) => {
      await replaceText(page, '{ "check": { "claim": "identity.`email", "operator": "isDefined" } }');
      const problem = page.locator('.problem');
      expect(await problem.textContent()).toContain('identity.`email is not a valid claim path');
      expect(await problem.locator('code').allTextContents()).toEqual(['identity.`email', '_']);
    });
  });

  it('saves to the opened file through the File System Access API, until another policy replaces it', async () => {
    // Uses file handles of the origin-private file system, which are like those of the pickers: tests cannot operate the pickers.
    const script = `
      globalThis.handleOf = async (name) => (await navigator.storage.getDirectory()).getFileHandle(name, { create: true });
      globalThis.textOf = async (name) => (await (await handleOf(name)).getFile()).text();
      window.showOpenFilePicker = async () => [await handleOf('old.json')];
      window.showSaveFilePicker = async ({ suggestedName }) => {
        if (globalThis.cancels) throw new DOMException('', 'AbortError');
        return await handleOf(suggestedName);
      };`;
    await withPlayground(
      async (page) => {
        await page.evaluate(`(async () => {
          const stream = await (await handleOf('old.json')).createWritable();
          await stream.write(${JSON.stringify(ADULT)});
          await stream.close();
        })()`);
        await page.getByRole('button', { name: 'Open', exact: true }).click();
        await page.getByText('Opened old.json').waitFor();
        expect(await editorOf(page).textContent()).toBe(ADULT);
        await replaceText(page, ADULT.replace('18', '21'));
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved old.json').waitFor();
        expect(await page.evaluate("textOf('old.json')")).toBe(ADULT.replace('18', '21'));
        await page.getByRole('button', { name: /^Of age/ }).click();
        expect(await page.locator('#policy-title').textContent()).toBe('Policy');
        await page.evaluate('globalThis.cancels = true');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.evaluate('globalThis.cancels = false');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved policy.json').waitFor();
        expect(await page.evaluate("textOf('old.json')")).toBe(ADULT.replace('18', '21'));
        expect(await page.evaluate("textOf('policy.json')")).toContain('identity.age_over_18');
        // A link in the same tab replaces the policy too.
        await page.getByRole('button', { name: 'Open', exact: true }).click();
        await page.getByText('Opened old.json').waitFor();
        expect(await page.locator('#policy-title').textContent()).toBe('Policy old.json');
        const shared = { query: ADULT, person: 'bruno' };
        await page.evaluate(`location.hash = '#v1.' + btoa(${JSON.stringify(JSON.stringify(shared))})`);
        await page.getByText('Bruno does not pass').first().waitFor();
        expect(await page.locator('#policy-title').textContent()).toBe('Policy');
      },
      { script },
    );
  });

  it('tests the expected results of people, compares two policies with a witness, and shares both by a link', async () => {
    const OTHER = 'Other policy, as JSON';
    await withPlayground(
      async (page) => {
        await replaceText(page, ADULT);
        await page.getByRole('combobox', { name: 'Ada' }).selectOption('should pass');
        await page.getByRole('combobox', { name: 'Bruno' }).selectOption('should not pass');
        await page.getByRole('combobox', { name: 'Grace' }).selectOption('should pass');
        const tests = page.getByRole('tab', { name: /^Tests/ });
        expect(await tests.textContent()).toBe('Tests: 2 of 3');
        const grace = page.locator('.expectation', { hasText: 'Grace' });
        expect(await grace.locator('.expectation-result').textContent()).toContain('does not passunexpected');
        await page.getByRole('combobox', { name: 'Grace' }).selectOption('not tested');
        await replaceText(page, ADULT.replace('18', '1'));
        expect(await tests.textContent()).toBe('Tests: 1 of 2');
        await replaceText(page, ADULT);
        await page.getByRole('tab', { name: 'Compare' }).click();
        await page.getByRole('button', { name: 'Start with a copy' }).click();
        await editorOf(page, OTHER).waitFor();
        const outcome = page.locator('.compared-verdict');
        expect(await outcome.textContent()).toMatch(/^Equivalent/);
        await replaceText(page, ADULT.replace('18', '21'), OTHER);
        expect(await outcome.textContent()).toMatch(/^Less strict/);
        const witness = page.getByRole('region', { name: 'Passes only this policy' });
        expect(await witness.locator('dl').textContent()).toMatch(/^identity\.age(18|19|20)$/);
        await page.getByRole('button', { name: 'Show the result for this person' }).click();
        expect(await verdict(page)).toBe('This person passes');
        await page.getByRole('button', { name: 'Swap the policies' }).click();
        expect(await outcome.textContent()).toMatch(/^Stricter/);
        await page.getByRole('button', { name: 'Show the result for this person' }).click();
        expect(await verdict(page)).toBe('This person does not pass');
        await choosePerson(page, 'Ada');
        await page.getByRole('button', { name: 'Share' }).click();
        await page.getByText('Link copied').waitFor();
        const link = page.url();
        await page.goto('about:blank');
        await page.goto(link);
        await editorOf(page).waitFor();
        expect(await page.getByRole('tab', { name: /^Tests/ }).textContent()).toBe('Tests: 2 of 2');
        await page.getByRole('tab', { name: 'Compare' }).click();
        expect(await outcome.textContent()).toMatch(/^Stricter/);
        await replaceText(page, '{', OTHER);
        await page.getByText('The other policy is not valid yet').waitFor();
        // Work on a shared policy is kept, too: the link is removed from the address.
        await replaceText(page, ADULT.replace('18', '99'));
        await page.waitForURL(files.origin);
        await page.reload();
        await editorOf(page).waitFor();
        expect(await verdict(page)).toBe('Ada does not pass');
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  it('uses an entered catalogue for suggestions, warnings, examples, people, program and link', async () => {
    const CATALOGUE = 'Catalogue, as JSON';
    await withPlayground(
      async (page) => {
        await page.getByRole('tab', { name: 'Catalogue' }).click();
        await page.getByRole('button', { name: 'Start with an example' }).click();
        await editorOf(page, CATALOGUE).waitFor();
        await page.getByRole('button', { name: /^Your catalogue/ }).click();
        expect(await verdict(page)).toBe('Ada passes');
        await choosePerson(page, 'Bruno');
        expect(await verdict(page)).toBe('Bruno does not pass');
        await replaceText(page, '{ "check": { "claim": "member.lev" } }');
        for (let step = 0; step < '" } }'.length; step += 1) await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('Control+Space');
        const suggested = page.locator('.cm-tooltip-autocomplete li');
        await expect.poll(() => suggested.allTextContents()).toEqual(['member.levelenum']);
        await page.keyboard.press('Escape');
        await replaceText(
          page,
          '{ "check": { "claim": "member.levell", "operator": "==", "value": "gold" } }',
        );
        expect(await page.locator('.policy .card-foot').textContent()).toContain(
          'Did you mean member.level?',
        );
        await replaceText(
          page,
          '{ "check": { "claim": "member.level", "operator": "==", "value": "bronze" } }',
        );
        expect(await verdict(page)).toBe('Bruno passes');
        await page.getByRole('tab', { name: 'TypeScript' }).click();
        expect(await exportPanelOf(page).textContent()).toContain('createScopeCatalogue([');
        // The last valid catalogue stays while the text is invalid.
        await replaceText(page, '{ "extends": "default", "claims": [{ "path": "x" }] }', CATALOGUE);
        expect(await page.getByRole('alert').textContent()).toContain('The catalogue is not valid yet');
        expect(await verdict(page)).toBe('Bruno passes');
        // A catalogue without any claim of the default one.
        const scope = {
          name: 'shop:read',
          category: 'shop',
          sensitivity: 'low',
          display_name: 'Orders',
          description: 'Your orders.',
        };
        const claim = { path: 'shop.orders', type: 'integer', scope: scope.name, sensitivity: 'low' };
        const catalogue = { scopes: [scope], claims: [{ ...claim, description: 'Orders so far.' }] };
        await replaceText(page, JSON.stringify(catalogue), CATALOGUE);
        await page.getByRole('button', { name: /^Your catalogue/ }).click();
        expect(await verdict(page)).toBe('Sample one passes');
        expect(await page.locator('.people label').allTextContents()).toEqual([
          'Sample one',
          'Sample two',
          'Nobody',
          'Your own…',
        ]);
        await page.getByRole('button', { name: 'Share' }).click();
        await page.getByText('Link copied').waitFor();
        const link = page.url();
        const large = { ...catalogue, scopes: [{ ...scope, description: 'x'.repeat(60_000) }] };
        await replaceText(page, JSON.stringify(large), CATALOGUE);
        await page.getByRole('button', { name: 'Share' }).click();
        await page.getByText('without the catalogue, which is too large for a link').waitFor();
        await page.goto('about:blank');
        await page.goto(link);
        await editorOf(page).waitFor();
        expect(await verdict(page)).toBe('Sample one passes');
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  it('says that work cannot be kept while the storage of the browser is full, and keeps later work', async () => {
    await withPlayground(
      async (page) => {
        const notice = page.getByRole('alert').filter({ hasText: 'storage is full or disabled' });
        await page.getByRole('button', { name: 'Share' }).click();
        await page.waitForURL(/#/);
        const link = page.url();
        await replaceText(page, ADULT);
        await notice.waitFor();
        // A reload opens the link, since the work is not kept.
        expect(page.url()).toBe(link);
        await page.evaluate('location.hash = ""');
        await page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`);
        await notice.waitFor({ state: 'detached' });
        await replaceText(page, ADULT);
        await notice.waitFor();
        await page.evaluate('Storage.prototype.setItem = setItem');
        await choosePerson(page, 'Hugo');
        await notice.waitFor({ state: 'detached' });
      },
      {
        script: `globalThis.setItem = Storage.prototype.setItem;
          Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };`,
      },
    );
  });

  it('keeps the credentials of the user while it shows a witness', async () => {
    const [OTHER, OWN] = ['Other policy, as JSON', 'Credentials, as JSON'];
    await withPlayground(async (page) => {
      await replaceText(page, ADULT);
      await choosePerson(page, 'Your own…');
      await replaceText(page, '[]', OWN);
      await page.getByRole('tab', { name: 'Compare' }).click();
      await page.getByRole('button', { name: 'Start with a copy' }).click();
      await replaceText(page, ADULT.replace('18', '21'), OTHER);
      await page.getByRole('button', { name: 'Show the result for this person' }).click();
      await expect.poll(() => editorOf(page, OWN).textContent()).not.toBe('[]');
      await choosePerson(page, 'Ada');
      await choosePerson(page, 'Your own…');
      await expect.poll(() => editorOf(page, OWN).textContent()).toBe('[]');
    });
  });

  it('after a reload keeps the work with its catalogue, although this was too large for the link that the user shared', async () => {
    const CATALOGUE = 'Catalogue, as JSON';
    await withPlayground(async (page) => {
      await page.getByRole('tab', { name: 'Catalogue' }).click();
      await page.getByRole('button', { name: 'Start with an example' }).click();
      await editorOf(page, CATALOGUE).waitFor();
      const large = EXAMPLE_CATALOGUE.replace('The points collected.', 'x'.repeat(60_000));
      await replaceText(page, large, CATALOGUE);
      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByText('without the catalogue, which is too large for a link').waitFor();
      await page.reload();
      await page.getByText('your work from the last visit').waitFor();
      await replaceText(page, '{ "check": { "claim": "member.points", "operator": ">=", "value": 50 } }');
      expect(await verdict(page)).toBe('Ada passes');
      await expect.poll(() => page.url()).not.toContain('#');
      expect(await page.evaluate("localStorage.getItem('proviso.playground.work')")).toContain(
        'x'.repeat(60_000),
      );
    });
  });

  it('on a phone keeps the result in view, has buttons that scroll to the policy and the result, and remembers the theme', async () => {
    await withPlayground(
      async (page) => {
        const isVisible = (selector: string) =>
          page.evaluate(`(() => {
            const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
          })()`);
        expect(await page.locator('.policy .card-foot').textContent()).not.toContain('Ctrl');
        await replaceText(page, ADULT);
        const bar = page.getByRole('navigation', { name: 'Policy and answer' });
        const result = bar.getByRole('button', { name: 'Ada passes' });
        expect([
          await result.isVisible(),
          await isVisible('.result-bar'),
          await isVisible('.verdict'),
        ]).toEqual([true, true, false]);
        await result.click();
        expect(await isVisible('.verdict')).toBe(true);
        await choosePerson(page, 'Bruno');
        expect(await bar.textContent()).toContain('Bruno does not pass');
        await bar.getByRole('button', { name: 'Policy' }).click();
        expect(await isVisible('#policy-title')).toBe(true);
        const colors = () =>
          page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('background-color')");
        await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark theme');
        await expect.poll(colors).toBe('rgb(17, 21, 27)');
        await page.reload();
        await editorOf(page).waitFor();
        expect(await colors()).toBe('rgb(17, 21, 27)');
        await page.getByRole('combobox', { name: 'Theme' }).selectOption('System theme');
        await expect.poll(colors).toBe('rgb(246, 245, 241)');
        expect(await findOverflows(page)).toEqual([]);
      },
      { viewport: PHONE, colorScheme: 'light' },
    );
  });
});
