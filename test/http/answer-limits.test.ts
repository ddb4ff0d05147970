/** The consent page states the limits of answers: the levels of evidence, and the inference bounds (S386, S387). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Catalogue } from '../../src/engine/index.js';
import { DEFAULT_CATALOGUE, registerApplication } from '../../src/service/index.js';
import { systemDigest, systemRandom } from '../../src/system/node-ports.js';
import { authorizationQuery, authorize } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

const BOUNDS = {
  'identity.date_of_birth': { years: 5, from: '1900-01-01' },
  'identity.country_of_residence': { values: 3 },
  'club.points': { width: 12_000, from: 0, to: 1_000_000 },
} as const;

/** The default catalogue and a club, with limits. The scope `club:all` covers a limited and an unlimited claim. */
const CATALOGUE: Catalogue = {
  ...DEFAULT_CATALOGUE,
  scopes: [
    ...DEFAULT_CATALOGUE.scopes.map((scope) =>
      scope.name === 'identity:date_of_birth' ? { ...scope, maxEvidence: 'none' as const } : scope,
    ),
    {
      name: 'club:read',
      category: 'club',
      sensitivity: 'low',
      displayName: 'Your club',
      description: 'What the club knows.',
      example: '90,210 points',
      maxEvidence: 'checks',
    },
    {
      name: 'club:all',
      category: 'club',
      sensitivity: 'low',
      displayName: 'All of your club',
      description: 'What the club has.',
      example: '90,210 points, and a boat',
      implies: ['club:read'],
    },
  ],
  claims: [
    ...DEFAULT_CATALOGUE.claims,
    {
      path: 'club.points',
      type: 'integer',
      format: 'EUR',
      scope: 'club:read',
      sensitivity: 'low',
      displayName: 'points',
      description: 'Points.',
    },
    { path: 'club.boat', type: 'string', scope: 'club:all', sensitivity: 'low', description: 'A boat.' },
  ].map((claim) => ({
    ...claim,
    ...(claim.path in BOUNDS ? { inferenceBound: BOUNDS[claim.path as keyof typeof BOUNDS] } : {}),
  })) as Catalogue['claims'],
};

let started: StartedService;
let answersOnlyClientId: string;

beforeAll(async () => {
  started = await startService({ options: { catalogue: CATALOGUE } });
  const { store, clock, service } = started;
  const { application } = await registerApplication(
    {
      name: 'Corner Bank',
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: ['identity:date_of_birth', 'identity:read', 'club:read'],
      authentication: 'public',
      maxEvidence: 'checks',
    },
    { store, clock, random: systemRandom, digest: systemDigest, catalogue: service.catalogue },
  );
  answersOnlyClientId = application.clientId;
});

afterAll(() => started.stop());

/** Returns the sentences of the consent page of a request, without bidirectional control characters. */
async function sentences(changes: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const response = await authorize(started, authorizationQuery(changes));
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const page = await fetch(response.headers.get('location') ?? '', { headers: { Cookie: cookie } });
  const text = (await page.text()).replace(/[\u2066-\u2069]/g, '').replace(/<\/?(?:bdi|span)[^>]*>/g, '');
  return [...text.matchAll(/<(?:p|h2|li)(?: class="[^"]*")?>([^<]+)</g)].map(([, sentence = '']) => sentence);
}

const AGE_AND_CLUB = { scope: 'identity:date_of_birth club:read' };

// S386, S387
it.each([
  [
    'en',
    'Harbour Wallet sees answers, not values: one yes or no to each question.',
    'Harbour Wallet sees answers, not values: a yes or no to each part of a question.',
    'Your date of birth: however much the app asks, a range of at least 5 years remains.',
    'Your points: however much the app asks, a range of at least 12,000 euros remains.',
  ],
  [
    'de',
    'Harbour Wallet sieht Antworten, keine Werte: Ja oder Nein auf jede Frage.',
    'Harbour Wallet sieht Antworten, keine Werte: Ja oder Nein auf jeden Teil einer Frage.',
    'Ihr Geburtsdatum: Fragen der App lassen immer einen Spielraum von mindestens 5 Jahren.',
    'mindestens 12.000 Euro.',
  ],
  [
    'fr',
    'Harbour Wallet voit des réponses, pas les valeurs : oui ou non à chaque question.',
    'Harbour Wallet voit des réponses, pas les valeurs : oui ou non à chaque partie d’une question.',
    'Votre date de naissance : les questions de l’application laissent toujours un intervalle d’au moins 5 ans.',
    '000 euros.',
  ],
  [
    'es',
    'Harbour Wallet ve respuestas, no valores: sí o no a cada pregunta.',
    'Harbour Wallet ve respuestas, no valores: sí o no a cada parte de una pregunta.',
    'Su fecha de nacimiento: las preguntas de la aplicación dejan siempre un intervalo de al menos 5 años.',
    'al menos 12.000 euros.',
  ],
  [
    'pt',
    'Harbour Wallet vê respostas, não valores: sim ou não a cada pergunta.',
    'Harbour Wallet vê respostas, não valores: sim ou não a cada parte de uma pergunta.',
    'as perguntas do aplicativo sempre deixam um intervalo de pelo menos 5 anos.',
    'pelo menos 12.000 Euros.',
  ],
  [
    'ar',
    'يرى Harbour Wallet إجابات لا قيمًا: نعم أو لا عن كل سؤال.',
    'يرى Harbour Wallet إجابات لا قيمًا: نعم أو لا عن كل جزء من السؤال.',
    'تترك أسئلة التطبيق دائمًا نطاقًا لا يقل عن 5 سنوات.',
    'يورو',
  ],
])('the limits of scopes are stated in %s', async (locale, ...expected) => {
  const shown = (await sentences({ ...AGE_AND_CLUB, ui_locales: locale })).join('\n');
  for (const sentence of expected) expect(shown).toContain(sentence);
});

// S386
it('a scope that covers a claim with limited evidence is shown without an example', async () => {
  const limited = await sentences({ scope: 'club:read' });
  expect(limited).toContain('What Harbour Wallet would learn');
  expect(limited.join('\n')).not.toContain('90,210');
  const some = await sentences({ scope: 'club:all' });
  expect(some).toContain('What Harbour Wallet would see');
  expect(some).toContain('Harbour Wallet sees answers, not values, about your points.');
  expect(some.join('\n')).not.toContain('90,210');
  const full = (await sentences({ scope: 'identity:read' })).join('\n');
  expect(full).toContain('Example, not yours');
  expect(full).not.toMatch(/not values|however much the app asks/);
});

// S386
it('the limit of an application is stated once, and again for scopes with a stricter limit', async () => {
  const shown = await sentences({ client_id: answersOnlyClientId, scope: 'identity:read club:read' });
  const limits = shown.filter((sentence) => sentence.includes('not values'));
  expect(limits).toEqual(['Corner Bank sees answers, not values: a yes or no to each part of a question.']);
  expect(shown).toContain(
    'Your country of residence: however much the app asks, at least 3 possibilities remain.',
  );
  const further = await sentences({ client_id: answersOnlyClientId, ...AGE_AND_CLUB });
  expect(further.filter((sentence) => sentence.includes('not values'))).toEqual([
    'Corner Bank sees answers, not values: a yes or no to each part of a question.',
    'Corner Bank sees answers, not values: one yes or no to each question.',
  ]);
});

// S387, S351
it('a bound is not stated for a claim that a requested condition reads, since the condition is answered regardless of the bound', async () => {
  const query = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
  const details = [{ type: 'claims_condition', query, purpose: 'To sell a ticket.' }];
  const shown = await sentences({ ...AGE_AND_CLUB, authorization_details: JSON.stringify(details) });
  const bounds = shown.filter((sentence) => sentence.includes('however much the app asks'));
  expect(bounds).toEqual([
    'Your points: however much the app asks, a range of at least 12,000 euros remains.',
  ]);
});
