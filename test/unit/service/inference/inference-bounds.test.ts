/** Inference bounds: no sequence of answers narrows a claim below its bound (S346, S348). */
import { describe, expect, it } from 'vitest';
import {
  type Adversary,
  AGES,
  analyst,
  binarySearch,
  createClub,
  createQuestions,
  type Level,
  play,
  RANKS,
} from './games.js';

/** A generator of integers below a given limit, for reproducible games. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Questions of each kind. All games share them, so that each set of rules (a club) compiles a question once. */
const QUESTIONS = Array.from({ length: 500 }, (_, index) => createQuestions(createRandom(7 * index + 1))(2));
/** Asks random ones of these questions. */
const randomQuestions =
  (random: (below: number) => number): Adversary =>
  () =>
    QUESTIONS[random(QUESTIONS.length)];

const LEVELS: readonly Level[] = ['checks', 'none'];
const CLUBS = [2, 5, 10, 31].flatMap((age) => [2, 3].map((rank) => createClub(age, rank)));

interface Games {
  readonly count: number;
  readonly questions: number;
  readonly adversary: (random: (below: number) => number) => Adversary;
}

function playGames({ count, questions, adversary }: Games) {
  let refusals = 0;
  let answers = 0;
  for (let game = 0; game < count; game += 1) {
    const random = createRandom(game + 1);
    const club = CLUBS[random(CLUBS.length)] ?? createClub(5, 2);
    const truth = { age: random(AGES), rank: RANKS[random(RANKS.length)] ?? 'a', member: random(2) === 0 };
    const outcome = play(club, truth, adversary(random), {
      questions,
      level: () => LEVELS[random(2)] ?? 'none',
    });
    if (outcome.ages < club.minAges || outcome.ranks < club.minRanks)
      throw new Error(
        `game ${game}: ${JSON.stringify({ ...outcome, truth, bounds: [club.minAges, club.minRanks] })}`,
      );
    refusals += outcome.refusals;
    answers += outcome.questions - outcome.refusals;
  }
  return { refusals, answers };
}

// S346
describe('in 10,000 games, an adversary never gets below the bound', () => {
  it.each([
    ['by binary search', { count: 5_000, questions: 16, adversary: binarySearch }],
    ['by random questions', { count: 4_500, questions: 24, adversary: randomQuestions }],
    ['by questions that static analysis chooses', { count: 500, questions: 10, adversary: analyst }],
  ])('%s', (_title, games) => {
    const { refusals, answers } = playGames(games);
    expect(answers).toBeGreaterThan(games.count);
    expect(refusals).toBeGreaterThan(games.count);
  });
});

it('without the bound, binary search and static analysis learn the age with at most 8 questions', () => {
  const club = createClub(5, 2);
  for (const adversary of [binarySearch, analyst]) {
    // Static analysis is slow, so it plays for every ninth age only.
    for (let age = 0; age < AGES; age += adversary === analyst ? 9 : 1) {
      const truth = { age, rank: 'a', member: true };
      const options = { questions: 8, level: (): Level => 'none', isBounded: false };
      expect(play(club, truth, adversary(), options).ages).toBe(1);
    }
  }
});
