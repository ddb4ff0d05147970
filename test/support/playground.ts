/** The built playground, served by the service and by a static file server. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { readPlaygroundFiles } from '../../src/cli/playground-files.js';
import type { PlaygroundFiles } from '../../src/http/index.js';

/** The output of `npm run build`. */
export const PLAYGROUND_FOLDER = fileURLToPath(new URL('../../dist/server/playground', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Reads the files that the service serves. */
export function readBuiltPlayground(): PlaygroundFiles {
  const files = readPlaygroundFiles(PLAYGROUND_FOLDER);
  if (files === undefined) throw new Error('the playground must be built first: npm run build');
  return files;
}

export interface FileServer {
  readonly origin: string;
  /** Targets of the received requests, in order. */
  readonly targets: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Serves a folder. */
export async function startFileServer(folder: string): Promise<FileServer> {
  const targets: string[] = [];
  const server = createServer((request, response) => {
    const target = request.url ?? '';
    targets.push(target);
    const { pathname } = new URL(target, 'http://127.0.0.1');
    try {
      const name = pathname === '/' ? 'index.html' : pathname;
      response
        .writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'text/plain' })
        .end(readFileSync(join(folder, name)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Locates the editor, which replaces the plain field when it is loaded. */
export function editorOf(page: Page, label = 'Policy, as JSON') {
  return page.locator('.cm-content').and(page.getByRole('textbox', { name: label, exact: true }));
}

/** Opens the playground and waits for the editor. */
export async function openPlayground(page: Page, url: string, now: number): Promise<void> {
  await page.clock.setFixedTime(now);
  await page.goto(url);
  await editorOf(page).waitFor();
}

/** Replaces the text of the editor, like a paste. */
export async function replaceText(page: Page, text: string, label?: string): Promise<void> {
  await editorOf(page, label).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await waitForRender(page);
}

/** Waits until all changes are rendered, export tabs included. */
async function waitForRender(page: Page): Promise<void> {
  // Changes in reaction to the first frame are complete before a timer that is set in the second frame.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
}

/** Returns the outcome of each check, in document order. */
export async function readOutcomes(page: Page): Promise<readonly (string | null)[]> {
  return await page
    .locator('.check')
    .evaluateAll((checks) =>
      checks.map((one) =>
        (one as { getAttribute(name: string): string | null }).getAttribute('data-outcome'),
      ),
    );
}

/** Chooses a person, and waits until the result is rendered. */
export async function choosePerson(page: Page, name: string): Promise<void> {
  await page.locator('.people').getByText(name, { exact: true }).click();
  await waitForRender(page);
}

/** Locates the panel of the export tabs. */
export function exportPanelOf(page: Page) {
  return page.getByRole('region', { name: 'Use this policy' }).getByRole('tabpanel');
}
