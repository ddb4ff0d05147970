/** Saves the files of a tutorial and runs its commands in order. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND, type CommandResult, runShell } from './run-command.js';

/** A code block of a tutorial. */
interface Block {
  readonly language: string;
  readonly text: string;
  /** The file name in the paragraph before the block, if the block is to be saved. */
  readonly file: string | undefined;
}

export interface TutorialOptions {
  readonly cwd: string;
  /** Returns the lines to run for a block of commands; `undefined` to skip it. `npx proviso` is replaced already. */
  readonly toRunnable?: (commands: string) => string | undefined;
}

export interface TutorialRun {
  /** The outputs on the page, and what the commands before each printed. */
  readonly outputs: readonly { readonly expected: string; readonly printed: string }[];
  /** The names of the saved files, in order. */
  readonly files: readonly string[];
  /** The result of the last commands. */
  readonly last: CommandResult;
}

/** @param page - Markdown: `sh` blocks are commands, `text` blocks their output, and other blocks are saved as files where the page says so. */
export async function runTutorial(
  page: string,
  { cwd, toRunnable = (commands) => commands }: TutorialOptions,
): Promise<TutorialRun> {
  let last: CommandResult = { exitCode: 0, stdout: '', stderr: '' };
  const outputs: { readonly expected: string; readonly printed: string }[] = [];
  const files: string[] = [];
  for (const { language, text, file } of blocksOf(page)) {
    if (file !== undefined) {
      writeFileSync(join(cwd, file), text);
      files.push(file);
    } else if (language === 'text') outputs.push({ expected: text, printed: `${last.stderr}${last.stdout}` });
    else if (language === 'sh') {
      const commands = toRunnable(text.replaceAll('npx proviso', `node ${COMMAND}`));
      if (commands !== undefined) last = await runShell(commands, { cwd });
    }
  }
  return { outputs, files, last };
}

function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/([^\n]*(?:\n[^\n]+)*)\n\n```(\w+)\n(.*?)```/gs)].map(
    ([, before = '', language = '', text = '']) => ({
      language,
      text,
      file: /Save this as `([\w.-]+)`/.exec(before)?.[1],
    }),
  );
}
