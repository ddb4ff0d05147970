/** The load of a soak test: first as much as possible, to measure the limit; then actions at a fixed rate. */
import type { SeededChoice } from '../seeded-choice.js';
import { ACTIONS, type Action, type Person, type Send, UnexpectedResponse } from './people.js';
import { NoResponse, type Requests } from './requests.js';
import type { Tally } from './tally.js';

const TICK_MS = 5;
/** An action that could not start for this long is dropped. */
const MAX_DELAY_MS = 1_000;
const MS_PER_SECOND = 1_000;

/** Thrown on a 503 response. */
class Unavailable extends Error {}

export interface Load {
  readonly people: readonly Person[];
  readonly choice: SeededChoice;
  /** The connections to the current process of the service. */
  readonly requests: () => Requests;
}

/** Measures the maximum rate: each person performs one action after the other. @returns Actions per second of all people together. */
export async function measureLimit(load: Load, tally: Tally, seconds: number): Promise<number> {
  const until = performance.now() + seconds * MS_PER_SECOND;
  let done = 0;
  await Promise.all(
    load.people.map(async (person) => {
      while (performance.now() < until) {
        await attempt(person, chooseAction(load.choice), load, tally, performance.now());
        done += 1;
      }
    }),
  );
  return done / seconds;
}

export interface Sustained {
  /** Number of actions that were dropped, since all people were busy for more than a second after the action was due. */
  readonly notStarted: () => number;
  /** Starts no further actions, and waits for those in flight. */
  readonly stop: () => Promise<void>;
}

/** Starts actions at a fixed rate (open loop): the time that an action waits for a free person is part of its latency. */
export function sustain(load: Load, tally: Tally, perSecond: number): Sustained {
  const startedAt = performance.now();
  const inFlight = new Set<Promise<void>>();
  let started = 0;
  let notStarted = 0;
  const dueAt = (index: number) => startedAt + (index * MS_PER_SECOND) / perSecond;
  const tick = () => {
    for (const now = performance.now(); dueAt(started) <= now; started += 1) {
      const person = load.people[started % load.people.length];
      const free = person?.busy === false ? person : load.people.find(({ busy }) => !busy);
      if (free === undefined) {
        if (now - dueAt(started) < MAX_DELAY_MS) return;
        notStarted += 1;
        continue;
      }
      const attempted = attempt(free, chooseAction(load.choice), load, tally, dueAt(started));
      inFlight.add(attempted);
      void attempted.then(() => inFlight.delete(attempted));
    }
  };
  const timer = setInterval(tick, TICK_MS);
  return {
    notStarted: () => notStarted,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(inFlight);
    },
  };
}

function chooseAction(choice: SeededChoice): Action {
  let remainder = choice.between(0, 100);
  for (const [action, share] of ACTIONS) {
    if (remainder < share) return action;
    remainder -= share;
  }
  return 'query';
}

async function attempt(
  person: Person,
  action: Action,
  load: Load,
  tally: Tally,
  dueAt: number,
): Promise<void> {
  person.busy = true;
  let due = dueAt;
  const send: Send = async (request) => {
    try {
      const response = await load.requests().send(request);
      if (response.status === 503) throw new Unavailable();
      const now = performance.now();
      tally.answered(due, now);
      // The next request of the same action is due now.
      due = now;
      return response;
    } catch (error) {
      const now = performance.now();
      if (error instanceof NoResponse && error.timedOut)
        tally.hung(`${action}: ${request.path.slice(0, 60)}`);
      else tally.failed(error instanceof Unavailable ? '503' : reasonOf(error), due, now);
      throw error;
    }
  };
  try {
    await person.perform(action, send, load.choice);
  } catch (error) {
    if (error instanceof UnexpectedResponse) tally.wrong(`${action}: ${error.message}`);
    else if (!(error instanceof Unavailable || error instanceof NoResponse)) throw error;
  } finally {
    person.busy = false;
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error).slice(0, 60);
}
