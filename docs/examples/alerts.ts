/**
 * Alerts for a million people: each alert is a policy, and a person is notified when a change of their claims makes an alert pass. One
 * policy set finds the alerts of a change among all of them, instead of testing each.
 *
 * Start: `npx tsx docs/examples/alerts.ts`, with a million people: `npx tsx docs/examples/alerts.ts 1000000 100000`
 */
import { ClaimSet } from 'proviso';
import { createPolicySet, policySetFromBytes } from 'proviso/policy-set';

const [people = 1_000, alerts = 2_000] = process.argv.slice(2).map(Number);

const COUNTRIES = 200;
const LEVELS = 4;

/** An alert: people of a country, from a level on, whose balance reached an amount. */
function alert(index: number): object {
  const country = { claim: 'identity.country_of_residence', operator: '==', value: `C${index % COUNTRIES}` };
  const level = { claim: 'kyc.level', operator: '>=', value: index % LEVELS };
  const balance = { claim: 'financial.balance', operator: '>=', value: (index * 7_919) % 100_000 };
  return { policy: { allOf: [country, level, balance] } };
}

/** The claims of a person; the balance is what changes. */
function claimsOf(person: number, balance: number): ClaimSet {
  return ClaimSet.of({
    'identity.country_of_residence': `C${(person * 31) % COUNTRIES}`,
    'kyc.level': person % LEVELS,
    'financial.balance': balance,
  });
}

const set = createPolicySet();
for (let index = 0; index < alerts; index += 1) set.add(`alert-${index}`, alert(index));

// A process that restarts reads the set from a file instead of adding each alert again.
const restarted = policySetFromBytes(set.toBytes());

let notified = 0;
let notifications = 0;
for (let person = 0; person < people; person += 1) {
  const balance = (person * 104_729) % 100_000;
  // Somebody moved money to the person's account.
  const { passing } = restarted.diff(claimsOf(person, balance), claimsOf(person, balance + 5_000));
  notifications += passing.length;
  if (passing.length > 0) notified += 1;
}

const { policies, checks } = restarted.stats();
console.log(`${policies} alerts with ${checks} distinct checks`);
console.log(`${notified} of ${people} people were notified, by ${notifications} alerts`);
