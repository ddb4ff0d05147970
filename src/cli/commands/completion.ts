/** `proviso completion`: prints a completion script for a shell. */
import { Argument, type Command, type Option } from 'commander';
import { printResult } from '../output.js';

/** Adds the command. @param program - The program whose commands are completed. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
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

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/** A command and the names that lead to it. */
interface CommandWords {
  /** Empty for the program itself. */
  readonly path: readonly string[];
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly Option[];
}

/** Returns the completion script for a program. */
export function completionScript(shell: Shell, program: Command): string {
  const commands = listCommands(program, []);
  switch (shell) {
    case 'bash':
      return bashScript(program.name(), commands);
    case 'zsh':
      return zshScript(program.name(), commands);
    case 'fish':
      return fishScript(program.name(), commands);
  }
}

function listCommands(command: Command, path: readonly string[]): readonly CommandWords[] {
  const help = command.createHelp();
  const own = {
    path,
    subcommands: help
      .visibleCommands(command)
      .map((one) => ({ name: one.name(), description: one.description() })),
    options: help.visibleOptions(command),
  };
  return [own, ...command.commands.flatMap((inner) => listCommands(inner, [...path, inner.name()]))];
}

/** Returns the words that can follow a command. If none matches, the shell completes file names. */
function wordsOf({ subcommands, options }: CommandWords): readonly string[] {
  return [...subcommands.map(({ name }) => name), ...options.flatMap(({ long }) => long ?? [])];
}

function bashScript(name: string, commands: readonly CommandWords[]): string {
  const cases = commands.map((command) => {
    const words = wordsOf(command).join(' ');
    return `    '${command.path.join(' ')}') words='${words}' ;;`;
  });
  return `# Completion of ${name} for bash:  eval "$(${name} completion bash)"
_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${pathCases(commands)}
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# Without a match, bash completes file names.
complete -o default -F _${name} ${name}`;
}

function zshScript(name: string, commands: readonly CommandWords[]): string {
  const cases = commands.map((command) => {
    const described = [
      ...command.subcommands.map((one) => `${one.name}:${escapeText(one.description)}`),
      ...command.options.flatMap(({ long, description }) =>
        long ? [`${long}:${escapeText(description)}`] : [],
      ),
    ];
    return `    '${command.path.join(' ')}') choices=(${described.map((one) => `'${one}'`).join(' ')}) ;;`;
  });
  return `#compdef ${name}
# Completion of ${name} for zsh:  eval "$(${name} completion zsh)"
_${name}() {
  local route='' word
  local -a before choices
  before=("\${(@)words[2,CURRENT-1]}")
  for word in "\${before[@]}"; do
    case "$route $word" in
${pathCases(commands, 'route')}
    esac
  done
  case "$route" in
${cases.join('\n')}
  esac
  _describe '${name}' choices || _files
}
compdef _${name} ${name}`;
}

function fishScript(name: string, commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ path, subcommands, options }) => {
    const condition = fishCondition(path, subcommands);
    return [
      ...subcommands.map(
        (one) =>
          `complete -c ${name} -n '${condition}' -f -a ${one.name} -d '${escapeText(one.description)}'`,
      ),
      ...options.flatMap(({ long, description, required, optional }) =>
        long === undefined || long === null
          ? []
          : [
              `complete -c ${name} -n '${condition}' -l ${long.replace(/^--/, '')}${required || optional ? ' -r' : ''} -d '${escapeText(description)}'`,
            ],
      ),
    ];
  });
  return [`# Completion of ${name} for fish:  ${name} completion fish | source`, ...lines].join('\n');
}

function fishCondition(path: readonly string[], subcommands: CommandWords['subcommands']): string {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const names = subcommands.map((one) => one.name).join(' ');
  const none = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`];
  return [...seen, ...none].join('; and ') || 'true';
}

/** Returns `case` branches that match the path of a command and the next word, and set the path to that of the subcommand. */
function pathCases(commands: readonly CommandWords[], variable = 'path'): string {
  return commands
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => {
      const before = path.slice(0, -1).join(' ');
      return `      '${before} ${path.at(-1)}') ${variable}='${path.join(' ')}' ;;`;
    })
    .join('\n');
}

/** Replaces apostrophes, which end a quoted string, and colons, which separate a name from its description in zsh. */
function escapeText(text: string): string {
  return text.replaceAll("'", '’').replaceAll(':', ' –');
}
