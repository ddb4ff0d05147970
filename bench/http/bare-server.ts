/**
 * The baseline of the service: a bare `node:http` server that parses the same body, reads one row by an indexed
 * key, and sends a fixed body of the same length. Arguments: the path of its database, and the length.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'libsql';

const HOST = '127.0.0.1';
const TOKENS = 1_000;

const [storePath = '', length = '0'] = process.argv.slice(2);
const database = new Database(storePath);
database.exec('CREATE TABLE token (hash TEXT PRIMARY KEY, person TEXT NOT NULL)');
const insert = database.prepare('INSERT INTO token VALUES (?, ?)');
for (let index = 0; index < TOKENS; index += 1) insert.run(hashOf(`token-${index}`), `person-${index}`);
const find = database.prepare('SELECT person FROM token WHERE hash = ?');
const body = Buffer.alloc(Number(length), ' ');

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const query: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const row = find.get(hashOf('token-500'));
    const status = typeof query === 'object' && row !== undefined ? 200 : 500;
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
});

server.listen(0, HOST, () => {
  process.stdout.write(`http://${HOST}:${(server.address() as AddressInfo).port}/\n`);
});

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
