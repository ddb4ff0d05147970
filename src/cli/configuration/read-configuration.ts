/** Reads the configuration from options, environment and file, in this order of precedence, and reports all problems at once (S202). */
import { didYouMean, MAX_SUGGESTED_CODE_UNITS } from '../../engine/names.js';
import type { EnvironmentName } from '../../service/index.js';
import {
  decodeUtf8,
  MUST_BE_PRIVATE,
  MUST_BE_UTF8,
  parseJsonText,
  type ReadFile,
  readFileWithMode,
} from '../json-file.js';
import { CommandError, EXIT, toPrintable } from '../output.js';
import type { Database } from './setting-types.js';
import {
  type Configuration,
  countProcesses,
  SETTINGS,
  type Setting,
  type SettingName,
  settingEntries,
  variableOf,
} from './settings.js';

/** The source of a value. */
type Origin = 'option' | 'environment' | 'file' | 'default';

/** The configuration, valid or not. */
export interface ReadConfiguration {
  /** Complete if there are no problems. */
  readonly values: Configuration;
  readonly origins: ReadonlyMap<string, Origin>;
  /** One sentence per problem: the name of the setting, what is required, and the value unless it is a secret. */
  readonly problems: readonly string[];
}

export interface ConfigurationSources {
  readonly variables: NodeJS.ProcessEnv;
  /** A JSON file. Default: `PROVISO_CONFIG`. */
  readonly file?: string | undefined;
  /** Values of the command's options. */
  readonly options?: Readonly<Record<string, string>>;
  /** Whether the service will be started: settings that production requires must then be present. */
  readonly serving?: boolean;
}

interface SettingText {
  /** `undefined` if the value cannot be read, which is already reported as a problem. */
  readonly text: string | undefined;
  readonly origin: Origin;
}

/** The name of a setting and its text; `undefined` if the value cannot be read. */
type ReadText = readonly [name: string, text: string | undefined];

/** Variables that are not settings: the settings file, and those of the tests. */
const NON_SETTINGS = /^PROVISO_(?:CONFIG$|TEST_)/;
const MAX_SHOWN_CODE_UNITS = 100;

/** Reads and validates all settings. Never throws. */
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
        environment === 'production' &&
        setting.requiredInProduction &&
        sources.serving === true &&
        !given.has(name);
      if (isMissing)
        problems.push(`${variableOf(name)} is missing: production requires ${setting.type.requirement}`);
      continue;
    }
    if (origin !== 'default' && setting.productionOnly && environment !== 'production') {
      problems.push(`${variableOf(name)} must not be set in the sandbox: it is for production only`);
    }
    const value = setting.type.parse(text);
    if (value === undefined) problems.push(describeInvalidValue(name, setting, text));
    values[name] = value;
  }
  // Each value was returned by the parser of its setting.
  const configuration = values as unknown as Configuration;
  problems.push(...listExposedKeys(configuration.databaseUrl, variableOf('databaseUrl')));
  if (sources.serving === true) problems.push(...listConflicts(configuration, (name) => given.has(name)));
  return { values: configuration, origins, problems };
}

/**
 * Checks the file modes of the private keys of TLS client certificates, since the PostgreSQL driver does not check them. Checks every `sslkey` of
 * the URL; the driver uses the last one.
 *
 * @param name - The name of the URL in messages.
 */
export function listExposedKeys(database: Database | undefined, name: string): readonly string[] {
  if (database?.engine !== 'postgres') return [];
  const paths = new URL(database.address).searchParams.getAll('sslkey');
  return paths.flatMap((path) => checkKeyFile(path, name));
}

function checkKeyFile(path: string, name: string): readonly string[] {
  try {
    if (readFileWithMode(path).isPrivate) return [];
    return [`${name}: its \`sslkey\` ${quoteText(path)} ${MUST_BE_PRIVATE}`];
  } catch (error) {
    return [`${name}: its \`sslkey\` ${quoteText(path)} cannot be read (${codeOf(error)})`];
  }
}

/**
 * Lists the conflicts between settings.
 *
 * @param isGiven - Whether a setting has a value, valid or not. An invalid value is reported on its own, not as a missing setting.
 */
function listConflicts(values: Configuration, isGiven: (name: SettingName) => boolean): readonly string[] {
  const { signInUrl, headTimeoutSeconds, requestTimeoutSeconds, encryption } = values;
  const processCount = countProcesses(values);
  const { secretFailuresPerMinute, signInProviders, drainSeconds, graceSeconds } = values;
  return [
    ...(isGiven('signInUrl') === isGiven('signInKeys')
      ? []
      : ['PROVISO_SIGN_IN_URL and PROVISO_SIGN_IN_KEYS must be set together: one of them is missing']),
    ...(signInUrl === undefined || signInProviders === undefined
      ? []
      : [
          'PROVISO_SIGN_IN_URL and PROVISO_SIGN_IN_PROVIDERS must not be set together: people sign in by one of them',
        ]),
    ...(headTimeoutSeconds > requestTimeoutSeconds
      ? ['PROVISO_HEAD_TIMEOUT_SECONDS must not be larger than PROVISO_REQUEST_TIMEOUT_SECONDS']
      : []),
    ...(graceSeconds <= drainSeconds
      ? [
          'PROVISO_GRACE_SECONDS must be larger than PROVISO_DRAIN_SECONDS, after which accepted requests still have to be completed',
        ]
      : []),
    ...(encryption === 'required' && !isGiven('encryptionKeys')
      ? ['PROVISO_ENCRYPTION_KEYS must have a key where PROVISO_ENCRYPTION is `required`']
      : []),
    ...(secretFailuresPerMinute > 0 && secretFailuresPerMinute < processCount
      ? [
          `PROVISO_SECRET_FAILURES_PER_MINUTE must be 0 or at least the number of processes, ${processCount} (PROVISO_PROCESSES)`,
        ]
      : []),
  ];
}

function readSources(
  { variables, file, options = {} }: ConfigurationSources,
  problems: string[],
): Map<string, SettingText> {
  const path = file ?? variables['PROVISO_CONFIG'];
  const given = new Map<string, SettingText>();
  // An empty variable counts as absent, but an empty option does not.
  if (path !== undefined && (file !== undefined || path !== '')) {
    for (const [name, text] of readFile(path, problems)) given.set(name, { text, origin: 'file' });
  }
  for (const [name, text] of readVariables(variables, problems))
    given.set(name, { text, origin: 'environment' });
  for (const [name, text] of Object.entries(options)) given.set(name, { text, origin: 'option' });
  return given;
}

/** Reads the environment variables. An empty variable counts as absent, since shells and compose files set such variables. */
function readVariables(variables: NodeJS.ProcessEnv, problems: string[]): readonly ReadText[] {
  const names = new Map(settingEntries().map(([name]) => [variableOf(name), name]));
  return Object.entries(variables).flatMap(([variable, text = '']): ReadText[] => {
    if (!variable.startsWith('PROVISO_') || NON_SETTINGS.test(variable) || text === '') return [];
    const name = names.get(variable);
    if (name !== undefined) return [[name, text]];
    const behindFile = names.get(variable.replace(/_FILE$/, ''));
    if (variable.endsWith('_FILE') && behindFile !== undefined && SETTINGS[behindFile].secret) {
      const direct = variableOf(behindFile);
      if ((variables[direct] ?? '') !== '')
        problems.push(`${direct} and ${variable} must not be set together: only one may contain the secret`);
      return [[behindFile, readSecret(variable, text, problems)]];
    }
    problems.push(describeUnknownSetting(variable, [...names.keys()]));
    return [];
  });
}

/** Reads a secret from a file, which must contain one line and be private (S196, S202). */
function readSecret(variable: string, path: string, problems: string[]): string | undefined {
  try {
    const { bytes, isPrivate } = readFileWithMode(path);
    const text = decodeUtf8(bytes)?.trimEnd();
    if (isPrivate && text !== undefined) return text;
    problems.push(`${variable}: the file ${quoteText(path)} ${isPrivate ? MUST_BE_UTF8 : MUST_BE_PRIVATE}`);
  } catch (error) {
    problems.push(`${variable}: the file ${quoteText(path)} cannot be read (${codeOf(error)})`);
  }
  return undefined;
}

function readFile(path: string, problems: string[]): readonly ReadText[] {
  const file = readSettingsFile(path, problems);
  if (file === undefined) return [];
  const { json, isPrivate } = file;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    problems.push(`${path} must be a JSON object with settings as its members`);
    return [];
  }
  const known = new Map<string, Setting<unknown>>(settingEntries());
  return Object.entries(json).flatMap(([member, value]): ReadText[] => {
    const setting = known.get(member);
    if (setting === undefined) {
      problems.push(`${path}: ${describeUnknownSetting(member, [...known.keys()])}`);
      return [];
    }
    const text = toText(value);
    if (!isPrivate && text !== undefined && containsSecret(setting, text)) {
      problems.push(`${path}: a settings file with a secret (\`${member}\`) ${MUST_BE_PRIVATE}`);
    }
    if (text === undefined)
      problems.push(`${path}: \`${member}\` must be a string, a number or an array of strings`);
    return [[member, text]];
  });
}

/** Whether a value contains a secret. An invalid value of a secret setting counts as one, since it may be a mistyped secret. */
function containsSecret({ secret, type }: Setting<unknown>, text: string): boolean {
  if (!secret) return false;
  const value = type.parse(text);
  return value === undefined || type.containsSecret?.(value) !== false;
}

function readSettingsFile(
  path: string,
  problems: string[],
): (Pick<ReadFile, 'isPrivate'> & { readonly json: unknown }) | undefined {
  try {
    const { bytes, isPrivate } = readFileWithMode(path);
    const text = decodeUtf8(bytes);
    if (text !== undefined) return { json: parseJsonText(`the file ${quoteText(path)}`, text), isPrivate };
    problems.push(`PROVISO_CONFIG or --config: the file ${quoteText(path)} ${MUST_BE_UTF8}`);
  } catch (error) {
    const reason =
      error instanceof CommandError
        ? error.message
        : `the file ${quoteText(path)} cannot be read (${codeOf(error)})`;
    problems.push(`PROVISO_CONFIG or --config: ${reason}`);
  }
  return undefined;
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const texts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return texts ? value.join(',') : undefined;
}

function describeInvalidValue(name: string, { type, secret }: Setting<unknown>, text: string): string {
  return `${variableOf(name)} must be ${type.requirement}${secret ? ' (the value is not shown: it is a secret)' : ` (got ${quoteText(text)})`}`;
}

function describeUnknownSetting(name: string, known: readonly string[]): string {
  const bare = (one: string) => one.replace(/^PROVISO_/, '');
  const near = didYouMean(bare(name), known.map(bare), MAX_SUGGESTED_CODE_UNITS);
  const meant = known.find((one) => bare(one) === near);
  return `unknown setting ${quoteText(name)}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function quoteText(text: string): string {
  return `\`${toPrintable(text.slice(0, MAX_SHOWN_CODE_UNITS))}\``;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

/** Reads the configuration. @throws {CommandError} With all problems. */
export function loadConfiguration(sources: ConfigurationSources): Configuration {
  const { values, problems } = readConfiguration(sources);
  if (problems.length > 0) throw new CommandError(formatConfigurationProblems(problems), EXIT.usage);
  return values;
}

/** Formats problems as a heading and one line each. */
export function formatConfigurationProblems(problems: readonly string[]): string {
  return ['the configuration is invalid:', ...problems.map((problem) => `  ${problem}`)].join('\n');
}
