/** Programs that are on some machines only: what needs one that is absent is skipped, and the reason is printed. */
import { execFileSync } from 'node:child_process';

/**
 * Whether a command succeeds here; prints what is skipped where it does not.
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
