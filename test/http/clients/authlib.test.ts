/** Authlib of Debian's python3-authlib: it sends PKCE if the method is configured (S285, S286). */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideByForm } from '../../support/decide-by-form.js';
import { isInstalled } from '../../support/installed-programs.js';
import {
  addApplication,
  authorizationError,
  startServiceForLibraries,
} from '../../support/registered-application.js';
import type { StartedService } from '../../support/start-service.js';

const PYTHON = '/usr/bin/python3';
const present = isInstalled('python3-authlib with python3-requests', PYTHON, [
  '-c',
  'import authlib, requests',
]);

/** Prints the authorization URL, reads the callback URL, and prints the results as JSON. */
const PROGRAM = `
import json, os, sys, requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import jwt, JsonWebKey
from authlib.oidc.core import CodeIDToken

given = json.loads(sys.argv[1])
metadata = requests.get(given['issuer'] + '/.well-known/openid-configuration').json()
session = OAuth2Session(given['clientId'], given['clientSecret'], redirect_uri=given['redirectUri'],
    scope='openid profile email', **given['options'])
verifier = generate_token(48)
url, state = session.create_authorization_url(metadata['authorization_endpoint'], code_verifier=verifier)
print(url, flush=True)
callback = sys.stdin.readline().strip()
if callback == '': sys.exit()
token = session.fetch_token(metadata['token_endpoint'], authorization_response=callback, state=state, code_verifier=verifier)
keys = JsonWebKey.import_key_set(requests.get(metadata['jwks_uri']).json())
claims = jwt.decode(token['id_token'], keys, claims_cls=CodeIDToken,
    claims_options={'iss': {'values': [metadata['issuer']]}, 'aud': {'values': [given['clientId']]}},
    claims_params={'access_token': token['access_token'], 'client_id': given['clientId']})
claims.validate()
info = session.get(metadata['userinfo_endpoint']).json()
refreshed = session.refresh_token(metadata['token_endpoint'], refresh_token=token['refresh_token'])
revoked = session.revoke_token(metadata['revocation_endpoint'], token=refreshed['refresh_token'])
print(json.dumps({'sub': claims['sub'], 'info': info, 'refreshed': refreshed['access_token'] != token['access_token'],
    'revoked': revoked.status_code}), flush=True)
`;

describe.skipIf(!present)('Authlib', () => {
  let started: StartedService;

  beforeAll(async () => {
    started = await startServiceForLibraries();
  });

  afterAll(() => started.stop());

  /** Runs the program; `browse` follows its authorization URL and returns the callback URL. */
  async function run(options: object, browse: (url: string) => Promise<string>): Promise<unknown> {
    const application = await addApplication(started, 'https://bank.example/callback');
    const given = JSON.stringify({ issuer: started.url, options, ...application });
    const program = spawn(PYTHON, ['-c', PROGRAM, given], {
      env: { ...process.env, AUTHLIB_INSECURE_TRANSPORT: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
    const { value: url } = await lines.next();
    program.stdin.end(`${await browse(String(url))}\n`);
    const { value: result } = await lines.next();
    return result === undefined ? undefined : JSON.parse(String(result));
  }

  it('completes the flow of a confidential client with the method S256', async () => {
    const result = await run(
      { code_challenge_method: 'S256' },
      async (url) => (await decideByForm(url)).href,
    );
    const { sub } = result as { readonly sub: string };
    expect(sub).toMatch(/^usr_/);
    expect(result).toMatchObject({ info: { sub }, refreshed: true, revoked: 200 });
  });

  it('sends no challenge by default, and is rejected with an error that names code_challenge', async () => {
    let error = '';
    await run({}, async (url) => {
      error = await authorizationError(url);
      return '';
    });
    expect(error).toBe('invalid_request: code_challenge is required');
  });
});
