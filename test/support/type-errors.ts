/** Type-checks a module with the compiler of `npm run typecheck`. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');
const FILE = 'checked.ts';

export interface CompilerError {
  /** Relative to the folder. */
  readonly file: string;
  /** The first line is 0. */
  readonly line: number;
  readonly message: string;
}

interface TypeCheck {
  /** Compiler options of a `tsconfig.json`, with `strict` and `NodeNext` unless they differ (default: those of the repository). */
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
  /** The folder with the modules that the module imports (default: a new folder, which is then removed). */
  readonly folder?: string;
  /** Further files of the folder to check (default: only those that the module imports). */
  readonly otherFiles?: readonly string[];
}

/**
 * Returns the type errors of a module and of the modules that it imports. `../../src/` resolves to the repository's sources. In a given `folder`, leaves
 * `checked.ts` and `tsconfig.json`, which it overwrites; without `node_modules` there, also `package.json` and a link to the repository's `node_modules`.
 */
export async function typeErrors(
  text: string,
  { compilerOptions, folder, otherFiles = [] }: TypeCheck = {},
): Promise<readonly CompilerError[]> {
  const target = folder ?? mkdtempSync(join(tmpdir(), 'proviso-types-'));
  try {
    if (!existsSync(join(target, 'node_modules'))) {
      symlinkSync(join(ROOT, 'node_modules'), join(target, 'node_modules'));
      writeFileSync(join(target, 'package.json'), '{ "type": "module" }');
    }
    writeFileSync(join(target, FILE), text.replaceAll("'../../src/", `'${ROOT}src/`));
    const config = {
      ...(compilerOptions === undefined ? { extends: join(ROOT, 'tsconfig.json') } : {}),
      compilerOptions: {
        module: 'NodeNext',
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        incremental: false,
        tsBuildInfoFile: null,
        ...compilerOptions,
      },
      files: [FILE, ...otherFiles],
      // Otherwise, all files of the repository are checked too.
      include: [],
    };
    writeFileSync(join(target, 'tsconfig.json'), JSON.stringify(config));
    const { stdout, failed } = await compile(target);
    const errors = stdout.split(/\n(?! )/).flatMap(toError);
    if (failed && errors.length === 0) throw new Error(`the compiler failed: ${stdout}`);
    return errors;
  } finally {
    if (folder === undefined) rmSync(target, { recursive: true });
  }
}

/** Runs the compiler without blocking servers in this process. */
function compile(folder: string): Promise<{ readonly stdout: string; readonly failed: boolean }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], { cwd: folder }, (error, stdout) =>
      resolve({ stdout, failed: error !== null }),
    );
  });
}

function toError(printed: string): readonly CompilerError[] {
  const [, file, line, message] = /^(.+)\((\d+),\d+\): error TS\d+: ([\s\S]*)$/.exec(printed) ?? [];
  if (file === undefined || message === undefined) return [];
  return [{ file, line: Number(line) - 1, message }];
}
