/** What `proviso serve` prints when it is ready. */
import { SandboxError, type Service } from '../../service/index.js';
import { isLoopback } from '../loopback.js';

const EXAMPLE_PERSON = 'ada';
const EXAMPLE_SCOPES = ['identity:read', 'identity:date_of_birth', 'kyc:read'];

/** A policy with two levels, for the `curl` line of the banner. */
const EXAMPLE_QUERY = {
  policy: {
    allOf: [
      { claim: 'identity.age', operator: '>=', value: 18 },
      {
        anyOf: [
          { claim: 'kyc.level', operator: '==', value: 'enhanced' },
          { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] },
        ],
      },
    ],
  },
};

interface BannerData {
  readonly url: string;
  /** The address that the service listens on. */
  readonly host: string;
  readonly storePath: string;
  readonly hasPlayground: boolean;
}

/** Creates the text. In the sandbox, it contains a `curl` command with a token if the store and the catalogue have what the example requires. */
export async function createBanner(
  service: Service,
  { url, host, storePath, hasPlayground }: BannerData,
): Promise<string> {
  if (!service.environment.seeded) {
    return ['Proviso in production.', '', `  base URL  ${url}`, `  store     ${storePath}`].join('\n');
  }
  const token = await issueExampleToken(service);
  const example =
    token === undefined
      ? ['`proviso sandbox token` prints a token for a person of the store and scopes of the catalogue.']
      : [
          `Evaluate a policy about ${EXAMPLE_PERSON} (the token is valid for one hour):`,
          '',
          curlLine(url, token),
          '',
          'Another person or other scopes:  npx proviso sandbox token --person bruno --scope "kyc:read"',
        ];
  return [
    isLoopback(host)
      ? 'Proviso sandbox: sample people, on this machine only.'
      : `Proviso sandbox: sample people. It listens on ${host}, so other machines may reach it; it accepts only a loopback name or address as Host.`,
    '',
    `  base URL  ${url}`,
    `  store     ${storePath}`,
    ...(hasPlayground ? [`  try it    ${new URL(url).origin}/playground`] : []),
    '',
    ...example,
    'Stop with Ctrl-C; the store is kept.',
  ].join('\n');
}

/** Issues the token of the example; `undefined` if its person was erased, or the catalogue does not have its scopes. */
async function issueExampleToken({ tokens }: Service): Promise<string | undefined> {
  try {
    return await tokens.issueSandboxToken(EXAMPLE_PERSON, EXAMPLE_SCOPES);
  } catch (error) {
    if (error instanceof SandboxError) return undefined;
    throw error;
  }
}

/** Returns a `curl` command for POSIX shells. It formats the response with Node, which is known to be installed. */
function curlLine(url: string, token: string): string {
  const body = JSON.stringify({ query: EXAMPLE_QUERY });
  const request = `curl -sS ${url}/queries/evaluate -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${body}'`;
  return `${request} | node -p 'JSON.stringify(JSON.parse(require("fs").readFileSync(0)), null, 2)'`;
}
