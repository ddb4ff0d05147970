/** The load of a soak test: first as much as possible, to find the limit; then a fixed rate of actions. */
import type { SeededChoice } from '../seeded-choice.js';
import { type Ask, DEEDS, type Deed, type Person, WrongAnswer } from './people.js';
import { NoAnswer, type Requests } from './requests.js';
import type { Tally } from './tally.js';

const TICK_MS = 5;
/** What could not be begun for so long is not begun any more. */
const LATE_MS = 1_000;
const MS_PER_SECOND = 1_000;

/** The service cannot answer now, and says so. */
class Unavailable extends Error {}

export interface Load {
  readonly people: readonly Person[];
  readonly choice: SeededChoice;
  /** Of the service as it is reached now. */
  readonly requests: () => Requests;
}

/** @returns Deeds a second that all people together get done, each doing one after the other. */
export async function measureLimit(load: Load, tally: Tally, seconds: number): Promise<number> {
  const until = performance.now() + seconds * MS_PER_SECOND;
  let done = 0;
  await Promise.all(
    load.people.map(async (person) => {
      while (performance.now() < until) {
        await attempt(person, chooseDeed(load.choice), load, tally, performance.now());
        done += 1;
      }
    }),
  );
  return done / seconds;
}

export interface Sustained {
  /** Number of actions that were due but could not start, since all people were waiting. */
  readonly notBegun: () => number;
  /** Begins nothing more, and waits for what is under way. */
  readonly stop: () => Promise<void>;
}

/** Begins deeds at a rate, however long the others take: who waits in a queue is counted as waiting. */
export function sustain(load: Load, tally: Tally, perSecond: number): Sustained {
  const from = performance.now();
  const inFlight = new Set<Promise<void>>();
  let begun = 0;
  let notBegun = 0;
  const dueAt = (deed: number) => from + (deed * MS_PER_SECOND) / perSecond;
  const tick = () => {
    for (const now = performance.now(); dueAt(begun) <= now; begun += 1) {
      const person = load.people[begun % load.people.length];
      const free = person?.busy === false ? person : load.people.find(({ busy }) => !busy);
      if (free === undefined) {
        if (now - dueAt(begun) < LATE_MS) return;
        notBegun += 1;
        continue;
      }
      const deed = attempt(free, chooseDeed(load.choice), load, tally, dueAt(begun));
      inFlight.add(deed);
      void deed.then(() => inFlight.delete(deed));
    }
  };
  const timer = setInterval(tick, TICK_MS);
  return {
    notBegun: () => notBegun,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(inFlight);
    },
  };
}

function chooseDeed(choice: SeededChoice): Deed {
  let left = choice.between(0, 100);
  for (const [deed, share] of DEEDS) {
    if (left < share) return deed;
    left -= share;
  }
  return 'query';
}

async function attempt(person: Person, deed: Deed, load: Load, tally: Tally, dueAt: number): Promise<void> {
  person.busy = true;
  let due = dueAt;
  const ask: Ask = async (asked) => {
    try {
      const answer = await load.requests().ask(asked);
      if (answer.status === 503) throw new Unavailable();
      const now = performance.now();
      tally.answered(due, now);
      // The next of the same deed is due when this one is answered.
      due = now;
      return answer;
    } catch (error) {
      const now = performance.now();
      if (error instanceof NoAnswer && error.hangs) tally.hung(`${deed}: ${asked.path.slice(0, 60)}`);
      else tally.failed(error instanceof Unavailable ? '503' : reasonOf(error), due, now);
      throw error;
    }
  };
  try {
    await person.does(deed, ask, load.choice);
  } catch (error) {
    if (error instanceof WrongAnswer) tally.wrong(`${deed}: ${error.message}`);
    else if (!(error instanceof Unavailable || error instanceof NoAnswer)) throw error;
  } finally {
    person.busy = false;
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error).slice(0, 60);
}
