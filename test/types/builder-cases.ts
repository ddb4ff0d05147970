/** Lines that use the builder: some must compile, each of the others must fail for one reason. */

/** A line of TypeScript. */
export interface TypeCase {
  readonly why: string;
  readonly line: string;
  /** The expected compiler error. */
  readonly error?: RegExp;
}

const adult = "p.claim('identity.age').gte(18)";
const passed = "p.claim('kyc.passed').equals(true)";

export const CASES: readonly TypeCase[] = [
  { why: 'a number is compared with a number', line: adult },
  { why: 'a bound may be a fraction', line: "p.claim('financial.net_worth').lt(1_000.5)" },
  { why: 'a number is one of some', line: "p.claim('identity.service_score').in([1, 2])" },
  { why: 'a yes or no is asked', line: passed },
  { why: 'a text begins', line: "p.claim('identity.phone').startsWith('+351')" },
  { why: 'a text matches', line: "p.claim('identity.email').matches('@example[.]com$')" },
  { why: 'a country is none of some', line: "p.claim('identity.nationality').notIn(['KP'])" },
  { why: 'a list to be in none of may be empty', line: "p.claim('identity.nationality').notIn([])" },
  { why: 'a level is one that there is', line: "p.claim('kyc.level').equals('enhanced')" },
  { why: 'a level is one of several', line: "p.claim('kyc.level').in(['basic', 'enhanced'])" },
  { why: 'a date is compared with a day', line: "p.claim('identity.date_of_birth').lte('2008-06-01')" },
  { why: 'an instant has an offset', line: "p.claim('kyc.last_updated_at').gt('2026-01-01T00:00:00Z')" },
  { why: 'an array holds something', line: "p.claim('identity.wallet_addresses').contains('0x0')" },
  { why: 'any claim may be there', line: "p.claim('identity.address_full').isDefined()" },
  { why: 'conditions join', line: `p.allOf(${adult}, p.anyOf(${passed}, p.not(${adult})))` },
  {
    why: 'claims are asked for',
    line: "p.project(p.claim('identity.email').pluck(), p.claim('identity.address_full').pick(['country']))",
  },
  {
    why: 'an element of an array is asked for',
    line: "p.project(p.claim('identity.wallet_addresses').at(-1))",
  },
  {
    why: 'the scopes that it needs are granted',
    line: `p.withScopes(${adult}, ['identity:date_of_birth', 'kyc:read'])`,
  },
  {
    why: 'a catalogue of one’s own has claims of its own',
    line: "createQueryBuilder([{ path: 'club.tier', type: 'enum', scope: 'club', values: ['gold'] }]).claim('club.tier').equals('gold')",
  },

  {
    why: 'there is no such claim',
    line: "p.claim('identity.agee').gte(18)",
    error: /Argument of type '"identity\.agee"' is not assignable/,
  },
  {
    why: 'a number is no text',
    line: "p.claim('identity.age').gte('18')",
    error: /Argument of type 'string' is not assignable to parameter of type 'number'/,
  },
  {
    why: 'a number has no beginning',
    line: "p.claim('identity.age').startsWith('1')",
    error: /Property 'startsWith' does not exist/,
  },
  {
    why: 'a text has no order',
    line: "p.claim('identity.email').gt('a')",
    error: /Property 'gt' does not exist/,
  },
  {
    why: 'a yes or no has no order either',
    line: "p.claim('kyc.passed').gte(true)",
    error: /Property 'gte' does not exist/,
  },
  {
    why: 'a yes or no is no text',
    line: "p.claim('kyc.passed').equals('true')",
    error: /Argument of type 'string' is not assignable to parameter of type 'boolean'/,
  },
  {
    why: 'there is no such level',
    line: "p.claim('kyc.level').equals('golden')",
    error: /"golden"' is not assignable to parameter of type '"basic" \| "enhanced" \| "none"'/,
  },
  {
    why: 'one of the levels is none',
    line: "p.claim('kyc.level').in(['basic', 'golden'])",
    error: /Type '"golden"' is not assignable to type '"basic" \| "enhanced" \| "none"'/,
  },
  {
    why: 'a level has no pattern',
    line: "p.claim('kyc.level').matches('^b')",
    error: /Property 'matches' does not exist/,
  },
  {
    why: 'a date is no word',
    line: "p.claim('identity.date_of_birth').lt('yesterday')",
    error: /Argument of type '"yesterday"' is not assignable to parameter of type 'DateText'/,
  },
  {
    why: 'a date is no number',
    line: "p.claim('identity.date_of_birth').lt(2008)",
    error: /Argument of type '2008' is not assignable to parameter of type 'DateText'/,
  },
  {
    why: 'dates are not compared as texts',
    line: "p.claim('identity.date_of_birth').equals('2008-06-01')",
    error: /Property 'equals' does not exist/,
  },
  {
    why: 'a list to be in has somebody',
    line: "p.claim('identity.nationality').in([])",
    error: /Source has 0 element\(s\) but target requires 1/,
  },
  {
    why: 'only an array holds something',
    line: "p.claim('identity.email').contains('@')",
    error: /Property 'contains' does not exist/,
  },
  {
    why: 'only an object has members to pick',
    line: "p.claim('identity.email').pick(['a'])",
    error: /Property 'pick' does not exist/,
  },
  {
    why: 'some members are picked',
    line: "p.claim('identity.address_full').pick([])",
    error: /Source has 0 element\(s\) but target requires 1/,
  },
  { why: 'a group has somebody', line: 'p.allOf()', error: /Expected at least 1 arguments, but got 0/ },
  {
    why: 'a condition is no check’s parts',
    line: "p.not({ claim: 'kyc.passed', operator: '==', value: true })",
    error:
      /Object literal may only specify known properties|is not assignable to parameter of type 'Condition/,
  },
  {
    why: 'a projection is no condition',
    line: "p.anyOf(p.claim('identity.email').pluck())",
    error: /is missing the following properties from type 'Condition/,
  },
  {
    why: 'a scope is missing',
    line: `p.withScopes(p.allOf(${adult}, ${passed}), ['identity:date_of_birth'])`,
    error: /MissingScope<"kyc:read">/,
  },
  {
    why: 'a claim of another catalogue',
    line: "createQueryBuilder([{ path: 'club.tier', type: 'string', scope: 'club' }]).claim('identity.age')",
    error: /Argument of type '"identity\.age"' is not assignable to parameter of type '"club\.tier"'/,
  },
];
