/** Lines that use the builder: those without `error` must compile, the others must fail with that error. */

/** A line of TypeScript, and the title of its test. */
export interface TypeCase {
  readonly title: string;
  readonly line: string;
  /** The expected compiler error. */
  readonly error?: RegExp;
}

const adult = "p.claim('identity.age').gte(18)";
const passed = "p.claim('kyc.passed').equals(true)";

export const CASES: readonly TypeCase[] = [
  { title: 'accepts a number as the bound of a number claim', line: adult },
  { title: 'accepts a fraction as a bound', line: "p.claim('financial.net_worth').lt(1_000.5)" },
  {
    title: 'accepts a list of numbers for a number claim',
    line: "p.claim('identity.service_score').in([1, 2])",
  },
  { title: 'accepts a boolean for a boolean claim', line: passed },
  { title: 'accepts startsWith on a string claim', line: "p.claim('identity.phone').startsWith('+351')" },
  {
    title: 'accepts a pattern on a string claim',
    line: "p.claim('identity.email').matches('@example[.]com$')",
  },
  { title: 'accepts notIn with a list of strings', line: "p.claim('identity.nationality').notIn(['KP'])" },
  { title: 'accepts notIn with an empty list', line: "p.claim('identity.nationality').notIn([])" },
  { title: 'accepts a value of an enum claim', line: "p.claim('kyc.level').equals('enhanced')" },
  {
    title: 'accepts a list of values of an enum claim',
    line: "p.claim('kyc.level').in(['basic', 'enhanced'])",
  },
  {
    title: 'accepts a date as the bound of a date claim',
    line: "p.claim('identity.date_of_birth').lte('2008-06-01')",
  },
  {
    title: 'accepts a date-time as the bound of a date-time claim',
    line: "p.claim('kyc.last_updated_at').gt('2026-01-01T00:00:00Z')",
  },
  {
    title: 'accepts contains on an array claim',
    line: "p.claim('identity.wallet_addresses').contains('0x0')",
  },
  { title: 'accepts isDefined on an object claim', line: "p.claim('identity.address_full').isDefined()" },
  { title: 'accepts nested conditions', line: `p.allOf(${adult}, p.anyOf(${passed}, p.not(${adult})))` },
  {
    title: 'accepts projections of claims and of members',
    line: "p.project(p.claim('identity.email').pluck(), p.claim('identity.address_full').pick(['country']))",
  },
  {
    title: 'accepts a projection of an array element',
    line: "p.project(p.claim('identity.wallet_addresses').at(-1))",
  },
  {
    title: 'accepts a condition whose required scopes are granted',
    line: `p.withScopes(${adult}, ['identity:date_of_birth', 'kyc:read'])`,
  },
  {
    title: 'accepts the claims of a custom catalogue',
    line: "createQueryBuilder([{ path: 'club.tier', type: 'enum', scope: 'club', values: ['gold'] }]).claim('club.tier').equals('gold')",
  },

  {
    title: 'rejects an unknown claim',
    line: "p.claim('identity.agee').gte(18)",
    error: /Argument of type '"identity\.agee"' is not assignable/,
  },
  {
    title: 'rejects a string as the bound of a number claim',
    line: "p.claim('identity.age').gte('18')",
    error: /Argument of type 'string' is not assignable to parameter of type 'number'/,
  },
  {
    title: 'rejects startsWith on a number claim',
    line: "p.claim('identity.age').startsWith('1')",
    error: /Property 'startsWith' does not exist/,
  },
  {
    title: 'rejects an ordering of a string claim',
    line: "p.claim('identity.email').gt('a')",
    error: /Property 'gt' does not exist/,
  },
  {
    title: 'rejects an ordering of a boolean claim',
    line: "p.claim('kyc.passed').gte(true)",
    error: /Property 'gte' does not exist/,
  },
  {
    title: 'rejects a string for a boolean claim',
    line: "p.claim('kyc.passed').equals('true')",
    error: /Argument of type 'string' is not assignable to parameter of type 'boolean'/,
  },
  {
    title: 'accepts a declared value of the elements of an array claim',
    line: "createQueryBuilder([{ path: 'club.roles', type: 'array', scope: 'club', values: ['coach'] }]).claim('club.roles').contains('coach')",
  },
  {
    title: 'rejects an unknown value of the elements of an array claim',
    line: "createQueryBuilder([{ path: 'club.roles', type: 'array', scope: 'club', values: ['coach'] }]).claim('club.roles').contains('coahc')",
    error: /Argument of type '"coahc"' is not assignable to parameter of type '"coach"'/,
  },
  {
    title: 'rejects an unknown value of an enum claim',
    line: "p.claim('kyc.level').equals('golden')",
    error: /"golden"' is not assignable to parameter of type '"basic" \| "enhanced" \| "none"'/,
  },
  {
    title: 'rejects a list with an unknown value of an enum claim',
    line: "p.claim('kyc.level').in(['basic', 'golden'])",
    error: /Type '"golden"' is not assignable to type '"basic" \| "enhanced" \| "none"'/,
  },
  {
    title: 'rejects a pattern on an enum claim',
    line: "p.claim('kyc.level').matches('^b')",
    error: /Property 'matches' does not exist/,
  },
  {
    title: 'rejects a word as the bound of a date claim',
    line: "p.claim('identity.date_of_birth').lt('yesterday')",
    error: /Argument of type '"yesterday"' is not assignable to parameter of type 'DateText'/,
  },
  {
    title: 'rejects a number as the bound of a date claim',
    line: "p.claim('identity.date_of_birth').lt(2008)",
    error: /Argument of type '2008' is not assignable to parameter of type 'DateText'/,
  },
  {
    title: 'rejects equals on a date claim',
    line: "p.claim('identity.date_of_birth').equals('2008-06-01')",
    error: /Property 'equals' does not exist/,
  },
  {
    title: 'rejects in with an empty list',
    line: "p.claim('identity.nationality').in([])",
    error: /Source has 0 element\(s\) but target requires 1/,
  },
  {
    title: 'rejects contains on a string claim',
    line: "p.claim('identity.email').contains('@')",
    error: /Property 'contains' does not exist/,
  },
  {
    title: 'rejects pick on a string claim',
    line: "p.claim('identity.email').pick(['a'])",
    error: /Property 'pick' does not exist/,
  },
  {
    title: 'rejects pick without members',
    line: "p.claim('identity.address_full').pick([])",
    error: /Source has 0 element\(s\) but target requires 1/,
  },
  { title: 'rejects an empty group', line: 'p.allOf()', error: /Expected at least 1 arguments, but got 0/ },
  {
    title: 'rejects a plain object in place of a condition',
    line: "p.not({ claim: 'kyc.passed', operator: '==', value: true })",
    error:
      /Object literal may only specify known properties|is not assignable to parameter of type 'Condition/,
  },
  {
    title: 'rejects a projection in place of a condition',
    line: "p.anyOf(p.claim('identity.email').pluck())",
    error: /is missing the following properties from type 'Condition/,
  },
  {
    title: 'rejects granted scopes that do not cover the condition',
    line: `p.withScopes(p.allOf(${adult}, ${passed}), ['identity:date_of_birth'])`,
    error: /MissingScope<"kyc:read">/,
  },
  {
    title: 'rejects a claim that the custom catalogue does not have',
    line: "createQueryBuilder([{ path: 'club.tier', type: 'string', scope: 'club' }]).claim('identity.age')",
    error: /Argument of type '"identity\.age"' is not assignable to parameter of type '"club\.tier"'/,
  },

  {
    title: 'accepts plain claims with the types of a catalogue as an argument of `claims.of`',
    line: "createEngine({ catalogue: { scopes, claims } }).claims.of({ 'club.tier': 'gold', 'club.since': text, 'club.roles': ['coach'], 'club.visits': undefined } satisfies Club)",
  },
  {
    title: 'accepts plain claims of any type for a catalogue whose claims the compiler does not know',
    line: "({ 'club.tier': 3 }) satisfies ClaimsOf<Catalogue>",
  },
  {
    title: 'rejects a plain claim that the catalogue does not have',
    line: "({ 'club.teir': 'gold' }) satisfies Club",
    error: /'club\.teir'' does not exist in type 'Club'/,
  },
  {
    title: 'rejects an unknown value of a plain enum claim',
    line: "({ 'club.tier': 'glod' }) satisfies Club",
    error: /'"glod"' is not assignable to type '"gold" \| "silver" \| undefined'/,
  },
  {
    title: 'rejects an unknown element of a plain array claim',
    line: "({ 'club.roles': ['boss'] }) satisfies Club",
    error: /'"boss"' is not assignable to type '"coach"'/,
  },
  {
    title: 'rejects null in place of an undefined plain claim',
    line: "({ 'club.visits': null }) satisfies Club",
    error: /'null' is not assignable to type 'number \| undefined'/,
  },
];
