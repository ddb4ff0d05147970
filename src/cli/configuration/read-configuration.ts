/** Reads the configuration from options, environment and file, in this order, and tells all that is wrong with it at once (S202). */
import { didYouMean } from '../../engine/query/problem-list.js';
import type { EnvironmentName } from '../../service/index.js';
import { MUST_BE_PRIVATE, type ReadFile, readFileWithMode } from '../json-file.js';
import { CommandError, EXIT } from '../output.js';
import type { Database } from './setting-types.js';
import { type Configuration, SETTINGS, type Setting, settingEntries, variableOf } from './settings.js';

/** Where a value comes from. */
type Origin = 'option' | 'environment' | 'file' | 'default';

/** What was read, right or wrong. */
export interface ReadConfiguration {
  /** Whole where there are no problems. */
  readonly values: Configuration;
  readonly origins: ReadonlyMap<string, Origin>;
  /** A sentence each: the name, what would be right, and what it was. */
  readonly problems: readonly string[];
}

export interface ConfigurationSources {
  readonly variables: NodeJS.ProcessEnv;
  /** A file of JSON; `PROVISO_CONFIG` where absent. */
  readonly file?: string | undefined;
  /** What the command's own options say. */
  readonly options?: Readonly<Record<string, string>>;
  /** Whether the service is to be served: production then needs what it cannot do without. */
  readonly serving?: boolean;
}

interface Given {
  readonly text: string;
  readonly origin: Origin;
}

/** Ours, and no settings: the file itself, and what our tests read. */
const NO_SETTING = /^PROVISO_(?:CONFIG$|TEST_)/;
const MAX_SHOWN_CODE_UNITS = 100;

/** Reads and checks everything. Never throws. */
export function readConfiguration(sources: ConfigurationSources): ReadConfiguration {
  const problems: string[] = [];
  const given = readSources(sources, problems);
  const environmentText = given.get('environment')?.text;
  const environment: EnvironmentName = environmentText === 'production' ? 'production' : 'sandbox';
  const values: Record<string, unknown> = {};
  const origins = new Map<string, Origin>();
  for (const [name, setting] of settingEntries()) {
    const { text, origin } = given.get(name) ?? {
      text: setting.defaults?.[environment],
      origin: 'default' as const,
    };
    origins.set(name, origin);
    if (text === undefined) {
      const isMissing =
        environment === 'production' && setting.requiredInProduction && sources.serving === true;
      if (isMissing)
        problems.push(
          `${variableOf(name)} is ${setting.type.requirement}: production needs it, and there is none`,
        );
      continue;
    }
    if (origin !== 'default' && setting.productionOnly && environment !== 'production') {
      problems.push(`${variableOf(name)} is for production only, and this is the sandbox`);
    }
    const value = setting.type.parse(text);
    if (value === undefined) problems.push(describeInvalidValue(name, setting, text));
    values[name] = value;
  }
  // The table's own types: each value came out of its setting's parser.
  const configuration = values as unknown as Configuration;
  problems.push(...listExposedKeys(configuration.databaseUrl));
  if (sources.serving === true) problems.push(...listConflicts(configuration));
  return { values: configuration, origins, problems };
}

/** Checks the private keys of TLS client certificates, since the PostgreSQL driver does not check their mode. Of several it uses the last. */
function listExposedKeys(database: Database | undefined): readonly string[] {
  if (database?.engine !== 'postgres') return [];
  return new URL(database.address).searchParams.getAll('sslkey').flatMap(checkKeyFile);
}

function checkKeyFile(path: string): readonly string[] {
  try {
    if (readFileWithMode(path).isPrivate) return [];
    return [`PROVISO_DATABASE_URL: its \`sslkey\` ${shown(path)} ${MUST_BE_PRIVATE}`];
  } catch (error) {
    return [`PROVISO_DATABASE_URL: its \`sslkey\` ${shown(path)} cannot be read (${codeOf(error)})`];
  }
}

/** What is not right between settings. */
function listConflicts(values: Configuration): readonly string[] {
  const { signInUrl, signInKeys, headTimeoutSeconds, requestTimeoutSeconds, encryption, encryptionKeys } =
    values;
  return [
    ...((signInUrl === undefined) === (signInKeys === undefined)
      ? []
      : ['PROVISO_SIGN_IN_URL and PROVISO_SIGN_IN_KEYS come together, and one of them is missing']),
    ...(headTimeoutSeconds > requestTimeoutSeconds
      ? ['PROVISO_HEAD_TIMEOUT_SECONDS is at most PROVISO_REQUEST_TIMEOUT_SECONDS, and it is larger']
      : []),
    ...(encryption === 'required' && encryptionKeys === undefined
      ? ['PROVISO_ENCRYPTION_KEYS must have a key where PROVISO_ENCRYPTION is `required`']
      : []),
  ];
}

function readSources(
  { variables, file, options = {} }: ConfigurationSources,
  problems: string[],
): Map<string, Given> {
  const path = file ?? variables['PROVISO_CONFIG'];
  const given = new Map<string, Given>();
  if (path !== undefined) {
    for (const [name, text] of readFile(path, problems)) given.set(name, { text, origin: 'file' });
  }
  for (const [name, text] of readVariables(variables, problems))
    given.set(name, { text, origin: 'environment' });
  for (const [name, text] of Object.entries(options)) given.set(name, { text, origin: 'option' });
  return given;
}

/** A variable that is empty counts as absent, as shells and composition files make them so. */
function readVariables(
  variables: NodeJS.ProcessEnv,
  problems: string[],
): readonly (readonly [string, string])[] {
  const names = new Map(settingEntries().map(([name]) => [variableOf(name), name]));
  return Object.entries(variables).flatMap(([variable, text = '']): (readonly [string, string])[] => {
    if (!variable.startsWith('PROVISO_') || NO_SETTING.test(variable) || text === '') return [];
    const name = names.get(variable);
    if (name !== undefined) return [[name, text]];
    const behindFile = names.get(variable.replace(/_FILE$/, ''));
    if (variable.endsWith('_FILE') && behindFile !== undefined && SETTINGS[behindFile].secret) {
      const secret = readSecret(variable, text, problems);
      return secret === undefined ? [] : [[behindFile, secret]];
    }
    problems.push(describeUnknownSetting(variable, [...names.keys()]));
    return [];
  });
}

/** Reads a secret from a file of one line that only its owner can read (S196, S202). */
function readSecret(variable: string, path: string, problems: string[]): string | undefined {
  try {
    const { text, isPrivate } = readFileWithMode(path);
    if (isPrivate) return text.trimEnd();
    problems.push(`${variable}: the file ${shown(path)} ${MUST_BE_PRIVATE}`);
  } catch (error) {
    problems.push(`${variable} is the path of a file: ${shown(path)} cannot be read (${codeOf(error)})`);
  }
  return undefined;
}

function readFile(path: string, problems: string[]): readonly (readonly [string, string])[] {
  const file = readSettingsFile(path, problems);
  if (file === undefined) return [];
  const { json, isPrivate } = file;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    problems.push(`${path} is a JSON object with settings as its members`);
    return [];
  }
  const known = new Map<string, Setting<unknown>>(settingEntries());
  return Object.entries(json).flatMap(([member, value]): (readonly [string, string])[] => {
    const setting = known.get(member);
    if (setting === undefined) {
      problems.push(`${path}: ${describeUnknownSetting(member, [...known.keys()])}`);
      return [];
    }
    const text = toText(value);
    if (!isPrivate && text !== undefined && holdsSecret(setting, text)) {
      problems.push(`${path}: a settings file with a secret (\`${member}\`) ${MUST_BE_PRIVATE}`);
    }
    if (text === undefined)
      problems.push(`${path}: \`${member}\` is a string, a number or an array of strings`);
    return text === undefined ? [] : [[member, text]];
  });
}

/** Whether a text holds a secret; also where it is not right, since it may be a secret that was mistyped. */
function holdsSecret({ secret, type }: Setting<unknown>, text: string): boolean {
  if (!secret) return false;
  const value = type.parse(text);
  return value === undefined || type.holdsSecret?.(value) !== false;
}

function readSettingsFile(
  path: string,
  problems: string[],
): (Pick<ReadFile, 'isPrivate'> & { readonly json: unknown }) | undefined {
  try {
    const { text, isPrivate } = readFileWithMode(path);
    return { json: JSON.parse(text) as unknown, isPrivate };
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is no JSON' : `cannot be read (${codeOf(error)})`;
    problems.push(`PROVISO_CONFIG or --config is a file of JSON: ${shown(path)} ${reason}`);
    return undefined;
  }
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const texts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return texts ? value.join(',') : undefined;
}

function describeInvalidValue(name: string, { type, secret }: Setting<unknown>, text: string): string {
  return `${variableOf(name)} is ${type.requirement}: ${secret ? 'it is something else, not shown here' : shown(text)}`;
}

function describeUnknownSetting(name: string, known: readonly string[]): string {
  const bare = (one: string) => one.replace(/^PROVISO_/, '');
  const near = didYouMean(bare(name), known.map(bare));
  const meant = known.find((one) => bare(one) === near);
  return `there is no setting ${shown(name)}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function shown(text: string): string {
  return `\`${text.slice(0, MAX_SHOWN_CODE_UNITS).replace(/\p{Cc}/gu, '?')}\``;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

/** @throws {CommandError} With every problem at once. */
export function loadConfiguration(sources: ConfigurationSources): Configuration {
  const { values, problems } = readConfiguration(sources);
  if (problems.length > 0) throw new CommandError(formatConfigurationProblems(problems), EXIT.usage);
  return values;
}

/** A line each, under a heading. */
export function formatConfigurationProblems(problems: readonly string[]): string {
  return ['the configuration is not right:', ...problems.map((problem) => `  ${problem}`)].join('\n');
}
