/** Redirect URIs are compared as strings, except for the port of a loopback IP literal (S46–S49). */
import { describe, expect, it } from 'vitest';
import { isRegisteredRedirectUri, redirectUriFault } from '../../../src/service/clients/application.js';

const REGISTERED = [
  'https://app.example/cb',
  'https://app.example/cb?a=b',
  'http://127.0.0.1/cb',
  'http://[::1]:8000/cb',
  'http://localhost:3000/cb',
];

const MATCHING = [
  ...REGISTERED,
  'http://127.0.0.1:49152/cb',
  'http://127.0.0.1:1/cb',
  'http://[::1]/cb',
  'http://[::1]:65535/cb',
];

const NEAR_MISSES = [
  '',
  'https://app.example',
  'https://app.example/',
  'https://app.example/cb/',
  'https://app.example/CB',
  'https://APP.example/cb',
  'HTTPS://app.example/cb',
  'https://app.example:443/cb',
  'https://app.example/cb#',
  'https://app.example/cb?',
  'https://app.example/cb?a=c',
  'https://app.example/cb?a=b&c=d',
  'https://app.example/x/../cb',
  'https://app.example/./cb',
  'https://app.example//cb',
  'https://app.example/%63b',
  'https://app.example/cb%00',
  'https://app.example/cb ',
  ' https://app.example/cb',
  'https://app.example/cb\n',
  'https://app.example\\cb',
  'https://app.example.evil.example/cb',
  'https://evil.example/https://app.example/cb',
  'https://app.example@evil.example/cb',
  'https://evil@app.example/cb',
  'http://app.example/cb',
  'http://127.0.0.1/cb/',
  'http://127.0.0.1/cb?x',
  'http://127.0.0.1:80:80/cb',
  'http://127.0.0.1:/cb',
  'http://127.0.0.1:999999/cb',
  'http://127.0.0.2/cb',
  'http://127.1/cb',
  'http://0x7f.1/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://127.0.0.1@evil.example/cb',
  'https://127.0.0.1/cb',
  'http://[::1]:8000/other',
  'http://[0:0:0:0:0:0:0:1]/cb',
  'http://localhost/cb',
  'http://localhost:3001/cb',
  'http://ｌocalhost:3000/cb',
];

describe('a redirect URI of a request', () => {
  // S46, S47
  it.each(MATCHING)('%s matches a registered URI', (uri) => {
    expect(isRegisteredRedirectUri(uri, REGISTERED)).toBe(true);
  });

  // S46, S47
  it.each(NEAR_MISSES)('%j does not match a registered URI', (uri) => {
    expect(isRegisteredRedirectUri(uri, REGISTERED)).toBe(false);
  });
});

describe('the registration of a redirect URI', () => {
  // S49
  it.each(REGISTERED)('accepts %s', (uri) => {
    expect(redirectUriFault(uri)).toBeUndefined();
  });

  // S49
  it.each([
    'https://a.example/#x',
    'https://*.example/cb',
    'https://u:p@a.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    'http://a.example/cb',
    'https://a.example/\u0000',
    'https://a.example/ö',
    '/cb',
    'https:///cb',
    'https://:443/cb',
    'https://[/cb',
    'https://%zz/',
    'https://a.example:99999/',
    'https://a.example;x/cb',
  ])('rejects %j', (uri) => {
    expect(redirectUriFault(uri)).toMatch(/^(it|plain http) /);
  });
});
