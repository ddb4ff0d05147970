/** Builds the documentation site with the API reference and the playground into `docs/site/dist`: `npm run docs`. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';

const SITE = 'docs/site';

if (!existsSync(`${SITE}/node_modules`)) run(`npm ci --prefix ${SITE} --no-audit --no-fund`);
run('tsx build/build.ts');
run(`${SITE}/node_modules/.bin/vitepress build ${SITE}`);
run('typedoc --options build/typedoc.json');
cpSync('dist/server/playground', `${SITE}/dist/playground`, { recursive: true });
process.stdout.write(`the documentation is in ${SITE}/dist\n`);

function run(command: string): void {
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
