/** Detects optional programs. Tests that need a missing one are skipped with a reason. */
import { execFileSync } from 'node:child_process';

/**
 * Returns whether a command succeeds; reports skipped tests on standard error if not.
 *
 * @param what - Shown as the reason, such as `python3-authlib (Debian)`.
 */
export function isInstalled(what: string, command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(`skipped, since ${what} is not installed\n`);
    return false;
  }
}
