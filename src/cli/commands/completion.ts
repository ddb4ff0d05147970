/** `proviso completion`: what a shell needs to complete our commands. */
import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion-script.js';
import { printResult } from '../output.js';

/** Adds the command. @param program - Whose commands are completed: all that it has when the script is asked for. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  eval "$(proviso completion bash)"        in ~/.bashrc
  eval "$(proviso completion zsh)"         in ~/.zshrc, after compinit
  proviso completion fish | source         in ~/.config/fish/config.fish`,
    )
    .action((shell: Shell) => printResult(completionScript(shell, program)));
}
