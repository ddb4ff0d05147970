/**
 * A queue consumer: each message names a policy and a person. Invalid messages go to a dead-letter queue with their problems, and
 * messages with temporary failures are redelivered.
 *
 * Start: `npx tsx docs/examples/queue-consumer.ts`
 */
import { ClaimSet, type CompiledQuery, compilePredicate, type PredicateResult, QueryError } from 'proviso';
import { findPerson } from './people.js';

/** A message from an untrusted sender. */
interface Message {
  readonly id: string;
  readonly person: string;
  readonly query: unknown;
}

/** Stands in for your queue: SQS, RabbitMQ, Kafka or a table take the same steps. */
async function* messages(): AsyncGenerator<Message> {
  const adult = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
  yield { id: 'm1', person: 'ada', query: adult };
  yield { id: 'm2', person: 'bruno', query: adult };
  yield { id: 'm3', person: 'chiyo', query: adult };
  yield {
    id: 'm4',
    person: 'ada',
    query: { check: { claim: 'identity.age', operator: 'above', value: 18 } },
  };
  yield { id: 'm5', person: 'nobody', query: adult };
}

const CACHED_POLICIES = 100;
const policies = new Map<string, CompiledQuery<PredicateResult>>();

/** Compiles recurring policies once; the cache is bounded, since senders are untrusted. */
function compiled(query: unknown): CompiledQuery<PredicateResult> {
  const text = JSON.stringify(query);
  const known = policies.get(text);
  if (known !== undefined) return known;
  const policy = compilePredicate(query);
  if (policies.size >= CACHED_POLICIES) policies.clear();
  policies.set(text, policy);
  return policy;
}

/** The outcome of a message. */
async function consume({ person: name, query }: Message): Promise<string> {
  try {
    const policy = compiled(query);
    const person = await findPerson(name);
    if (person === undefined) return 'dead letter: no person of that name';
    const claims = ClaimSet.at(person.credentials, Date.now());
    const answer = policy.evaluate(claims, { scopes: person.scopes });
    return answer.passed ? 'passed' : 'not passed';
  } catch (error) {
    // The sender must correct these; anything else is our failure, and the queue delivers the message again.
    if (!(error instanceof QueryError)) throw error;
    const where = error.problems.map(({ pointer, code }) => `${code} at ${pointer || '/'}`);
    return `dead letter: ${[error.code, ...where].join(', ')}`;
  }
}

for await (const message of messages()) console.log(`${message.id}: ${await consume(message)}`);
