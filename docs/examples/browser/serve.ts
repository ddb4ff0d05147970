/**
 * A browser as the client: a static page that signs people in and calls the service itself.
 *
 * Start: `npm start` in one terminal, `npx tsx docs/examples/browser/serve.ts` in another, and open http://127.0.0.1:3000
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const issuer = process.env['PROVISO_ISSUER'] ?? 'http://127.0.0.1:8080/v2';
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const { outputFiles } = await build({
  entryPoints: [here('page.ts')],
  bundle: true,
  minify: true,
  write: false,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  define: { ISSUER: JSON.stringify(issuer) },
});
const script = outputFiles[0]?.text ?? '';
const page = await readFile(here('index.html'), 'utf8');

/** Allows the page its own script and requests to the service, nothing else. */
const POLICY = `default-src 'none'; script-src 'self'; connect-src ${new URL(issuer).origin}; frame-ancestors 'none'`;

const server = createServer((request, response) => {
  const isScript = request.url === '/page.js';
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
  response.end(isScript ? script : page);
});
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
