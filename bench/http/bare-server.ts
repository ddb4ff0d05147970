/**
 * Upper bounds for the throughput of the service: servers that parse the same body and send a fixed body of the same length. Arguments: the kind, the
 * length, and the path of a database for `node:http, one row`.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import Database from 'libsql';

const HOST = '127.0.0.1';
const TOKENS = 1_000;

const [kind = '', length = '0', storePath = ''] = process.argv.slice(2);
const body = Buffer.alloc(Number(length), ' ');

switch (kind) {
  case 'node:http':
    serve(() => true);
    break;
  case 'node:http, one row':
    serve(openLookup());
    break;
  case 'fastify':
    await serveFastify();
    break;
  default:
    throw new Error(`unknown kind \`${kind}\``);
}

/** A bare server; `find` may read a row for each request. */
function serve(find: () => boolean): void {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const query: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const status = typeof query === 'object' && find() ? 200 : 500;
      response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
      response.end(body);
    });
  });
  server.listen(0, HOST, () => printAddress((server.address() as AddressInfo).port));
}

async function serveFastify(): Promise<void> {
  const server = Fastify();
  server.post('/', async ({ body: query }, reply) => {
    reply.code(typeof query === 'object' ? 200 : 500).type('application/json');
    return body;
  });
  await server.listen({ port: 0, host: HOST });
  printAddress((server.server.address() as AddressInfo).port);
}

/** Reads one row by an indexed key. */
function openLookup(): () => boolean {
  const database = new Database(storePath);
  database.exec('CREATE TABLE token (hash TEXT PRIMARY KEY, person TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO token VALUES (?, ?)');
  for (let index = 0; index < TOKENS; index += 1) insert.run(hashOf(`token-${index}`), `person-${index}`);
  const find = database.prepare('SELECT person FROM token WHERE hash = ?');
  return () => find.get(hashOf('token-500')) !== undefined;
}

function printAddress(port: number): void {
  process.stdout.write(`http://${HOST}:${port}/\n`);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
