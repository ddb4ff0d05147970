/** The playground in a browser: policies, people, results, export tabs (V1, L8, L14, L20). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageHeaders } from '../../src/http/pages/page.js';
import { DESKTOP, describeInBrowser, type Visit } from '../support/browser.js';
import { type Journey, startJourney } from '../support/consent-journey.js';
import {
  choosePerson,
  editorOf,
  exportPanelOf,
  type FileServer,
  openPlayground,
  PLAYGROUND_FOLDER,
  readBuiltPlayground,
  readOutcomes,
  replaceText,
  startFileServer,
} from '../support/playground.js';
import { STARTED_AT } from '../support/start-service.js';

const ADULT = '{ "check": { "claim": "identity.age", "operator": ">=", "value": 18 } }';

describeInBrowser('the playground', () => {
  let journey: Journey;
  let files: FileServer;

  beforeAll(async () => {
    journey = await startJourney({ listener: { playground: readBuiltPlayground() } });
    files = await startFileServer(PLAYGROUND_FOLDER);
  });

  afterAll(async () => {
    await files?.stop();
    await journey?.stop();
  });

  /**
   * Opens the playground in a new visit, and asserts that it sent no cross-origin request and had no
   * errors.
   */
  async function withPlayground(
    steps: (visit: Visit) => Promise<void>,
    { fragment = '', ...options }: Parameters<Journey['openVisit']>[0] & { readonly fragment?: string } = {},
  ): Promise<void> {
    const visit = await journey.openVisit(options);
    await openPlayground(visit.page, `${journey.origin}/playground${fragment}`, STARTED_AT);
    await steps(visit);
    expect([visit.foreignRequests, visit.problems]).toEqual([[], []]);
    await visit.close();
  }

  const verdict = ({ page }: Visit) => page.locator('.verdict-word').textContent();
  const selectPerson = async ({ page }: Visit, name: string) => {
    await choosePerson(page, name);
  };

  it('shows results for policies of the gallery and sample people', async () => {
    await withPlayground(async (visit) => {
      expect(await verdict(visit)).toBe('Ada passes');
      await selectPerson(visit, 'Dmitri');
      expect(await verdict(visit)).toBe('Dmitri does not pass');
      await visit.page.getByRole('button', { name: /^Accredited investor/ }).click();
      await selectPerson(visit, 'Fatima');
      expect(await verdict(visit)).toBe('Fatima passes');
      expect(await readOutcomes(visit.page)).toEqual([
        'passed',
        'passed',
        'passed',
        'passed',
        'failed',
        'failed',
      ]);
      expect(await visit.page.getByRole('button', { name: /^Accredited/ }).getAttribute('aria-pressed')).toBe(
        'true',
      );
    });
  });

  // L14
  it('shows each check with the expected and the actual value, in green, red, or gray for an undefined claim', async () => {
    await withPlayground(async (visit) => {
      const { page } = visit;
      await replaceText(page, ADULT);
      expect(await readOutcomes(page)).toEqual(['passed']);
      const shownText = await page.locator('.check').textContent();
      expect(shownText?.replace(/\s+/g, ' ')).toBe('passes: identity.age>= 18is 34Civil Registry');
      const fillOf = () =>
        page
          .locator('.check .mark-ground')
          .evaluate(
            (sign) =>
              (
                globalThis as unknown as { getComputedStyle(one: unknown): { readonly fill: string } }
              ).getComputedStyle(sign).fill,
          );
      const fills = [await fillOf()];
      // One key stroke changes 18 to 188.
      await page.keyboard.press('End');
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft');
      await page.keyboard.type('8');
      expect([await readOutcomes(page), await verdict(visit)]).toEqual([['failed'], 'Ada does not pass']);
      fills.push(await fillOf());
      await selectPerson(visit, 'Grace');
      expect(await readOutcomes(page)).toEqual(['undefined']);
      expect(await page.locator('.check-actual').textContent()).toBe('not defined');
      fills.push(await fillOf());
      expect(fills).toEqual(['rgb(23, 101, 58)', 'rgb(155, 28, 46)', 'rgb(77, 87, 102)']);
    });
  });

  // L8
  it('marks errors in the text, lists them, and links to each', async () => {
    await withPlayground(async (visit) => {
      const { page } = visit;
      await replaceText(
        page,
        '{\n"check": {\n"claim": "identity.age",\n"operator": ">>",\n"value": 18\n}\n}',
      );
      await page.getByText('Not a valid query yet').first().waitFor();
      expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['">>"']);
      const problem = page.getByRole('button', { name: /^Line 4/ });
      expect(await problem.textContent()).toContain('Unknown operator');
      await problem.click();
      await page.keyboard.insertText('">="');
      expect(await verdict(visit)).toBe('Ada passes');
      expect(await page.locator('.cm-lintRange-error').count()).toBe(0);
    });
  });

  it('removes the mark of an error when the whole text is replaced by a valid policy', async () => {
    await withPlayground(async (visit) => {
      const { page } = visit;
      const marks = page.locator('.cm-lint-marker-error');
      await replaceText(page, '{ }');
      expect(await marks.count()).toBe(1);
      await replaceText(page, ADULT);
      expect([await verdict(visit), await marks.count()]).toEqual(['Ada passes', 0]);
      expect(await page.locator('.verdict .small').textContent()).toMatch(/^1 check passes\. /);
      await selectPerson(visit, 'Bruno');
      expect(await page.locator('.verdict .small').textContent()).toMatch(/^1 check fails\. /);
    });
  });

  it('keeps the tree while the text is temporarily invalid', async () => {
    await withPlayground(async (visit) => {
      await replaceText(visit.page, ADULT);
      const tree = visit.page.locator('.tree');
      const before = await tree.boundingBox();
      await visit.page.keyboard.press('End');
      await visit.page.keyboard.press('Backspace');
      expect(await verdict(visit)).toBe('Not a valid query yet');
      expect(await readOutcomes(visit.page)).toEqual(['passed']);
      expect(await visit.page.locator('.tree-frame[data-stale]').count()).toBe(1);
      expect(await tree.boundingBox()).toEqual(before);
    });
  });

  it('closes quotes and brackets, and scrolls to typed text', async () => {
    await withPlayground(async ({ page }) => {
      await replaceText(page, ' ');
      await page.keyboard.type('{"check');
      expect(await editorOf(page).textContent()).toBe(' {"check"}');
      await page.keyboard.type('"}');
      expect(await editorOf(page).textContent()).toBe(' {"check"}');
      await replaceText(page, '\n'.repeat(99));
      const scroller = page.locator('.policy .cm-scroller');
      const scrolled = () => scroller.evaluate((box) => (box as unknown as { scrollTop: number }).scrollTop);
      const end = await scrolled();
      await scroller.evaluate((box) => {
        (box as unknown as { scrollTop: number }).scrollTop = 0;
      });
      expect([end > 0, await scrolled()]).toEqual([true, 0]);
      await page.keyboard.type('7');
      await expect.poll(scrolled).toBe(end);
    });
  });

  it('redraws only the changed part of the tree', async () => {
    await withPlayground(async ({ page }) => {
      const check = (claim: string, value: unknown) => ({ claim, operator: '!=', value });
      const groups = [
        { anyOf: [check('identity.age', 1), check('kyc.level', 'none')] },
        { anyOf: [check('identity.nationality', 'PT'), check('identity.age', 2)] },
      ];
      await replaceText(page, JSON.stringify({ policy: { allOf: groups } }));
      await page.evaluate(`(() => {
        globalThis.drawn = new Set();
        new MutationObserver((changes) => {
          for (const { target } of changes) globalThis.drawn.add((target.closest ? target : target.parentElement).closest('li').textContent);
        }).observe(document.querySelector('.tree'), { subtree: true, childList: true, characterData: true, attributes: true });
      })()`);
      await page.keyboard.press('End');
      for (let step = 0; step < '}]}]}}'.length; step += 1) await page.keyboard.press('ArrowLeft');
      await page.keyboard.type('3');
      const last = page.locator('.check').last();
      expect(await last.textContent()).toContain('!= 23');
      expect(await page.evaluate('[...globalThis.drawn]')).toEqual([await last.textContent()]);
    });
  });

  // L20
  it('keeps marks at their text while text is inserted before, in and after it', async () => {
    await withPlayground(async ({ page }) => {
      await replaceText(page, '{ "check": { "claim": "shoe.size", "operator": "==", "value": 1 } }');
      const marked = page.locator('.cm-lintRange-warning');
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.type('  ');
      expect(await marked.allTextContents()).toEqual(['"shoe.size"']);
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(' ');
      expect(await marked.allTextContents()).toEqual(['"shoe.size"']);
      for (let step = 0; step < '", "operator": "==", "value": 1 } } '.length; step += 1)
        await page.keyboard.press('ArrowLeft');
      await page.keyboard.type('s');
      expect(await marked.allTextContents()).toEqual(['"shoe.sizes"']);
      expect(await page.locator('.card-foot').first().textContent()).toContain('shoe.sizes');
    });
  });

  it('suggests members, claims, operators and values from the schema and the catalogue', async () => {
    await withPlayground(async ({ page }) => {
      const suggested = page.locator('.cm-tooltip-autocomplete li');
      const accept = async (text: string) => {
        await suggested.filter({ hasText: text }).first().click();
        await suggested.first().waitFor({ state: 'detached' });
      };
      await replaceText(page, '{ "check": {  } }');
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Control+Space');
      await suggested.first().waitFor();
      await expect.poll(() => suggested.allTextContents()).toEqual(['claim', 'operator', 'value']);
      await accept('claim');
      await page.keyboard.type('kyc.lev');
      await suggested.first().waitFor();
      await expect.poll(() => suggested.allTextContents()).toEqual(['kyc.levelenum']);
      await accept('kyc.level');
      await page.keyboard.type(', ');
      await page.keyboard.press('Control+Space');
      await suggested.first().waitFor();
      await accept('operator');
      await page.keyboard.press('Control+Space');
      await suggested.first().waitFor();
      await expect.poll(() => suggested.count()).toBe(12);
      await accept('==');
      await page.keyboard.type(', "value": ');
      await page.keyboard.press('Control+Space');
      await suggested.first().waitFor();
      await expect.poll(() => suggested.allTextContents()).toEqual(['basic', 'enhanced', 'none']);
      await accept('basic');
      await expect
        .poll(() => editorOf(page).textContent())
        .toBe('{ "check": { "claim": "kyc.level", "operator": "==", "value": "basic" } }');
    });
  });

  it('shows suggestions in front of the answer, where they overlap it', async () => {
    await withPlayground(async ({ page }) => {
      await replaceText(page, '{ "check": { "claim": "identity."');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Control+Space');
      await page.locator('.cm-completionInfo').waitFor();
      // The description of a claim overlaps the choice of a person, once the editor has positioned it.
      const covering = () =>
        page.evaluate(`(() => {
        const { shadowRoot } = document.querySelector('.policy .json-editor');
        const choice = document.querySelector('.subject-panel').getBoundingClientRect();
        const info = shadowRoot.querySelector('.cm-completionInfo').getBoundingClientRect();
        const x = Math.max(choice.left, info.left) + 20;
        return x < info.right && document.elementFromPoint(x, (info.top + info.bottom) / 2).className;
      })()`);
      await expect.poll(covering).toBe('json-editor');
    });
  });

  it('keeps changed custom credentials while a sample person is shown, and replaces a mere copy', async () => {
    await withPlayground(async (visit) => {
      const { page } = visit;
      const label = 'Credentials, as JSON';
      const own = () => editorOf(page, label).textContent();
      await selectPerson(visit, 'Your own…');
      await editorOf(page, label).waitFor();
      const copyOfAda = await own();
      await selectPerson(visit, 'Hugo');
      await selectPerson(visit, 'Your own…');
      await editorOf(page, label).waitFor();
      expect(await own()).not.toBe(copyOfAda);
      await replaceText(page, '[]', label);
      await selectPerson(visit, 'Ada');
      await selectPerson(visit, 'Your own…');
      await editorOf(page, label).waitFor();
      expect(await own()).toBe('[]');
    });
  });

  // L10
  it('accepts custom credentials, and marks errors in them', async () => {
    await withPlayground(async (visit) => {
      const { page } = visit;
      await replaceText(page, ADULT);
      await selectPerson(visit, 'Your own…');
      const label = 'Credentials, as JSON';
      await editorOf(page, label).waitFor();
      expect(await verdict(visit)).toBe('This person passes');
      await replaceText(page, '[{"id": "1", "source": "Me", "issuedAt": "yesterday", "claims": {}}]', label);
      expect(await page.getByRole('alert').textContent()).toContain('RFC 3339');
      expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['"yesterday"']);
      await replaceText(
        page,
        '[{"id": "1", "source": "Me", "issuedAt": "2026-01-01T00:00:00Z", "claims": {"identity.date_of_birth": "2020-01-01"}}]',
        label,
      );
      expect(await page.locator('.check-found').textContent()).toBe('is 6Me');
      expect(await verdict(visit)).toBe('This person does not pass');
    });
  });

  // L20, L24
  it('shows result, shell command, program and scopes in tabs, also by arrow keys', async () => {
    await withPlayground(async (visit) => {
      const { page } = visit;
      await replaceText(page, ADULT);
      const panel = exportPanelOf(page);
      expect(JSON.parse((await panel.locator('pre').textContent()) ?? '')).toMatchObject({
        type: 'predicate',
        passed: true,
        evidence: { checkResults: [{ claim: 'identity.age', expectedValue: 18, actualValue: 34 }] },
      });
      await page.getByRole('tab', { name: 'Result' }).focus();
      await page.keyboard.press('ArrowRight');
      expect(await panel.textContent()).toContain(`curl -sS ${journey.origin}/v2/queries/evaluate`);
      expect(await panel.textContent()).toContain('--person ada --scope "identity:date_of_birth"');
      await page.keyboard.press('ArrowRight');
      expect(await panel.textContent()).toContain(
        "import { ClaimSet, type Credential, compile } from 'proviso'",
      );
      await page.keyboard.press('ArrowRight');
      expect(await panel.textContent()).toContain('It passes because of these claims alone');
      await page.keyboard.press('End');
      expect(
        await page
          .getByRole('region', { name: 'Use this policy' })
          .getByRole('tab', { selected: true })
          .textContent(),
      ).toBe('Scopes');
      expect(await panel.textContent()).toContain('Your date of birth');
      await page.keyboard.press('ArrowRight');
      expect(
        await page
          .getByRole('region', { name: 'Use this policy' })
          .getByRole('tab', { selected: true })
          .textContent(),
      ).toBe('Result');
    });
  });

  it('keeps the chosen tab when the query becomes a projection, or selects the result if the tab was the explanation, which a projection does not have', async () => {
    await withPlayground(async ({ page }) => {
      const tabs = page.getByRole('region', { name: 'Use this policy' });
      const selected = tabs.getByRole('tab', { selected: true });
      await tabs.getByRole('tab', { name: 'Scopes' }).click();
      const projection = page.getByRole('button', { name: /^Only a part/ });
      const policy = page.getByRole('button', { name: /^Of age/ });
      await projection.click();
      await expect.poll(() => tabs.getByRole('tab').count()).toBe(5);
      expect(await selected.allTextContents()).toEqual(['Scopes']);
      await policy.click();
      await tabs.getByRole('tab', { name: 'Explain' }).click();
      await projection.click();
      await expect.poll(() => tabs.getByRole('tab').count()).toBe(5);
      expect(await selected.allTextContents()).toEqual(['Result']);
      await selected.focus();
      await page.keyboard.press('ArrowRight');
      expect(await selected.allTextContents()).toEqual(['curl']);
    });
  });

  it('describes the policy in words, in the chosen language', async () => {
    await withPlayground(async (visit) => {
      const { page } = visit;
      await page.getByRole('tab', { name: 'In words' }).click();
      await replaceText(page, '{ "check": { "claim": "identity.age", "operator": ">=", "value": 18 } }');
      const panel = exportPanelOf(page);
      await panel.getByText('Whether you are 18 or older.').waitFor();
      await panel.getByLabel('Language').selectOption('ar');
      const arabic = panel.getByText('هل عمرك 18 سنة أو أكثر؟');
      await arabic.waitFor();
      expect(await panel.locator('div[lang=ar]').getAttribute('dir')).toBe('rtl');
    });
  });

  // L10
  it('explains what would have to change for a person to pass, and until when the result holds', async () => {
    await withPlayground(async (visit) => {
      const { page } = visit;
      await page.getByRole('tab', { name: 'Explain' }).click();
      await selectPerson(visit, 'Emeka');
      const shownText = page.locator('.ways li');
      expect((await shownText.last().textContent())?.replace(/\s+/g, ' ')).toBe(
        'kyc.level "enhanced" (is "basic") and kyc.sanctions_clear true (not defined)',
      );
      await selectPerson(visit, 'Jun');
      expect(await exportPanelOf(page).textContent()).toContain('It would pass with');
      await replaceText(page, '{ "check": { "claim": "identity.email", "operator": "isDefined" } }');
      expect(await shownText.textContent()).toBe('identity.email defined (not defined)');
      await replaceText(page, '{ "check": { "claim": "kyc.passed", "operator": "==", "value": true } }');
      await expect.poll(() => exportPanelOf(page).textContent()).toContain('the result changes at');
    });
  });

  // L23
  it('shows what projections disclose, and nothing more', async () => {
    await withPlayground(async (visit) => {
      await visit.page.getByRole('button', { name: /^Only a part/ }).click();
      expect(await verdict(visit)).toBe('Discloses 3 claims');
      expect(await visit.page.locator('.check-actual').allTextContents()).toEqual([
        '{"country":"PT","locality":"Lisboa"}',
        '"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"',
        '"enhanced"',
      ]);
    });
  });

  it('can be shared by a link whose fragment contains the state and reaches no server', async () => {
    await files.stop();
    files = await startFileServer(PLAYGROUND_FOLDER);
    const first = await journey.openVisit({
      origins: [files.origin],
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await openPlayground(first.page, files.origin, STARTED_AT);
    await replaceText(first.page, ADULT.replace('18', '57'));
    await selectPerson(first, 'Chiyo');
    await first.page.getByRole('button', { name: 'Share' }).click();
    await first.page.getByText('Link copied').waitFor();
    const link = String(await first.page.evaluate('navigator.clipboard.readText()'));
    expect(link).toBe(first.page.url());
    const second = await journey.openVisit({ origins: [files.origin] });
    await openPlayground(second.page, link, STARTED_AT);
    expect(await verdict(second)).toBe('Chiyo passes');
    expect(await editorOf(second.page).textContent()).toBe(ADULT.replace('18', '57'));
    // Another link that is followed in the same window.
    await second.page.evaluate(
      `location.hash = '#v1.' + btoa(${JSON.stringify(JSON.stringify({ query: ADULT, person: 'bruno' }))})`,
    );
    await second.page.getByText('Bruno does not pass').first().waitFor();
    expect(files.targets.filter((target) => target.includes('v1'))).toEqual([]);
    expect([first.foreignRequests, first.problems, second.foreignRequests, second.problems]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    await first.close();
    await second.close();
  });

  it('reports an incomplete link and starts with the default', async () => {
    await withPlayground(
      async (visit) => {
        expect(await visit.page.getByRole('alert').textContent()).toContain('This link is incomplete');
        expect(await verdict(visit)).toBe('Ada passes');
      },
      { fragment: '#v1.eyJxdWVyeSI6' },
    );
  });

  it('runs from static files only, without other requests', async () => {
    const { page, foreignRequests, problems, close } = await journey.openVisit({ origins: [files.origin] });
    await openPlayground(page, files.origin, STARTED_AT);
    expect(await page.locator('.verdict-word').textContent()).toBe('Ada passes');
    await page.getByRole('tab', { name: 'curl' }).click();
    expect(await exportPanelOf(page).textContent()).toContain('http://127.0.0.1:8080/v2');
    expect([foreignRequests, problems]).toEqual([[], []]);
    // The page contains its policy, for servers that send none.
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    await close();
  });

  it('shows results before the editor is loaded, and the editor causes no layout shift', async () => {
    const { page, problems, close } = await journey.openVisit();
    await page.clock.setFixedTime(STARTED_AT);
    const heldRequests: (() => void)[] = [];
    await page.route(/editor/, (route) => heldRequests.push(() => void route.continue()));
    await page.addInitScript(`
      globalThis.shifts = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifts.push(entry.value);
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto(`${journey.origin}/playground`);
    const area = page.locator('textarea');
    await area.waitFor();
    // The position on the page, independent of scrolling.
    const box = () =>
      page.evaluate(`(() => {
        const { top, left, width, height } = document.querySelector('.json-field').getBoundingClientRect();
        return [top + scrollY, left + scrollX, width, height];
      })()`);
    const before = await box();
    expect(await page.evaluate('globalThis.shifts')).toEqual([]);
    await area.fill(ADULT);
    expect(await page.locator('.verdict-word').textContent()).toBe('Ada passes');
    await area.evaluate((field) =>
      (field as unknown as { setSelectionRange(from: number, to: number): void }).setSelectionRange(3, 3),
    );
    // Earlier layout shifts were caused by the shorter policy.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await page.evaluate('globalThis.shifts.length = 0');
    for (const release of heldRequests) release();
    await editorOf(page).waitFor();
    expect(await editorOf(page).textContent()).toBe(ADULT);
    // Focus and cursor stay where they were.
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('json-editor');
    await page.keyboard.type('x');
    expect(await editorOf(page).textContent()).toBe(ADULT.replace('"check', '"xcheck'));
    expect(await box()).toEqual(before);
    expect(await page.evaluate('globalThis.shifts')).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it('can be used with the keyboard only', async () => {
    await withPlayground(async (visit) => {
      const { page } = visit;
      const focused = () =>
        page.evaluate(
          '(document.activeElement.shadowRoot?.activeElement ?? document.activeElement).textContent.trim()',
        );
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      for (const title of ['Recent KYC check', 'Of age']) {
        await page.keyboard.press('Tab');
        expect(await focused()).toContain(title);
      }
      await page.keyboard.press('Enter');
      for (let step = 0; step < 8; step += 1) await page.keyboard.press('Tab');
      expect(await focused()).toBe('Share');
      // The editor does not trap the keyboard: Tab moves on (WCAG 2.1.2).
      await page.keyboard.press('Tab');
      expect(await focused()).toContain('identity.age_over_18');
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowRight');
      expect(await verdict(visit)).toBe('Bruno does not pass');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(
        await page.locator('details').evaluate((one) => (one as unknown as { open: boolean }).open),
      ).toBe(true);
    });
  });

  it('announces the result to screen readers', async () => {
    await withPlayground(async (visit) => {
      await selectPerson(visit, 'Bruno');
      const status = visit.page.locator('p[role="status"]');
      await expect.poll(() => status.textContent()).toContain('Bruno does not pass.');
    });
  });

  describe('its page', () => {
    // S64
    it('has the content security policy of every page: nothing unsafe, Trusted Types, no other origin', async () => {
      const response = await fetch(`${journey.origin}/playground`);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toBe(pageHeaders()['Content-Security-Policy']);
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toMatch(/https?:|\*/);
      expect(policy).toMatch(/require-trusted-types-for 'script'; trusted-types 'none'$/);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      const { assets } = readBuiltPlayground();
      for (const name of assets.keys()) {
        const asset = await fetch(`${journey.origin}/assets/${name}`);
        expect([asset.status, asset.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
        if (/-[0-9A-Za-z]{8}\.(?:js|css)$/.test(name))
          expect(asset.headers.get('cache-control')).toContain('immutable');
      }
    });

    // S63
    it.each(
      [
        '<img src=x onerror="globalThis.hacked=1">',
        '</script><script>globalThis.hacked=1</script>',
        '"><svg onload="globalThis.hacked=1">',
        '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
        'javascript:globalThis.hacked=1',
        '{{constructor.constructor("globalThis.hacked=1")()}}',
        '__proto__',
        'knaB ruoY\u202e evil',
        `A${'\u0301'.repeat(40)} ﷽`,
        'W'.repeat(3_000),
      ].map((text) => [text.slice(0, 40), text] as const),
    )('shows injected strings as text: %s', async (_shown, text) => {
      const query = JSON.stringify({
        policy: { allOf: [{ claim: 'identity.legal_name', operator: '==', value: text }] },
      });
      const credentials = JSON.stringify([
        {
          id: text,
          source: text,
          issuedAt: '2026-01-01T00:00:00Z',
          claims: { 'identity.legal_name': text, 'identity.address_full': { [text]: text } },
        },
      ]);
      const encoded = Buffer.from(JSON.stringify({ query, credentials })).toString('base64url');
      await withPlayground(
        async (visit) => {
          const { page } = visit;
          expect(await verdict(visit)).toBe('This person passes');
          expect(await page.locator('.check-source').textContent()).toBe(text);
          await page.locator('summary').click();
          for (const name of ['curl', 'TypeScript', 'Scopes', 'Result'])
            await page.getByRole('tab', { name }).click();
          expect(await exportPanelOf(page).textContent()).toContain(JSON.stringify(text));
          // As an operator, the string is unknown: the error message repeats its start.
          await replaceText(page, JSON.stringify({ check: { claim: 'a.b', operator: text } }));
          await page.getByText('Not a valid query yet').first().waitFor();
          const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
          expect([await page.evaluate('globalThis.hacked'), await page.evaluate(fits)]).toEqual([
            undefined,
            true,
          ]);
        },
        { fragment: `#v1.${encoded}`, viewport: { ...DESKTOP, width: 600 } },
      );
    });
  });

  it('is not served if the service was started without it', async () => {
    const withoutPlayground = await startJourney();
    const response = await fetch(`${withoutPlayground.origin}/playground`);
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('This did not work'),
    ]);
    await withoutPlayground.stop();
  });
});
