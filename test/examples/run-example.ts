/** Starts an example as its reader would, with the built package. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A running example that serves HTTP. */
export interface ListeningExample {
  readonly url: string;
  stop(): Promise<void>;
}

type Variables = Readonly<Record<string, string>>;

/** Runs an example to its end. @returns Its output. @throws {Error} If it fails. */
export async function runExample(file: string): Promise<string> {
  const child = start(file, {});
  const { output, ended } = outputOf(child);
  const exitCode = await ended;
  if (exitCode !== 0) throw new Error(`${file} exited with ${exitCode}: ${output()}`);
  return output();
}

/** Starts an example on a free port, and waits until it listens. @throws {Error} If it exits before. */
export async function startExample(file: string, variables: Variables = {}): Promise<ListeningExample> {
  const child = start(file, { PORT: '0', ...variables });
  const { output, ended } = outputOf(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /listening on (\S+)\n/.exec(output())?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then((exitCode) => reject(new Error(`${file} exited with ${exitCode}: ${output()}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function start(file: string, variables: Variables): ChildProcess {
  const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : [];
  return spawn(process.execPath, [...loader, `${FOLDER}${file}`], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
  });
}

function outputOf(child: ChildProcess) {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { output: () => output, ended };
}
