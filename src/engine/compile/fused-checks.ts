/**
 * Faster forms of frequent checks: the read, the test and the continuation in one closure. Written by `npm run generate`; not to be edited.
 *
 * Optional: without them every check is compiled from the table of operators, with the same outcomes.
 */
import { assertClaimSet } from '../claims/claim-set.js';
import { FAIL, isDirect, PASS, type PlannedCheck, type Predicate } from './plan.js';

/** Returns the fused predicate of a check; `undefined` where there is none. */
export function fuseCheck(
  { operator, operand, claim }: PlannedCheck,
  pass: Predicate,
  fail: Predicate,
): Predicate | undefined {
  if (!isDirect(claim)) return undefined;
  const { slot } = claim;
  switch (operator) {
    case '==':
      if (operand === true) return isTrue(slot, operand, pass, fail);
      if (typeof operand === 'string') return equalsString(slot, operand, pass, fail);
      return undefined;
    case '!=':
      if (typeof operand === 'string') return differsFromString(slot, operand, pass, fail);
      return undefined;
    case '>':
      if (typeof operand === 'number') return isAbove(slot, operand, pass, fail);
      return undefined;
    case '>=':
      if (typeof operand === 'number') return isAtLeast(slot, operand, pass, fail);
      return undefined;
    case '<':
      if (typeof operand === 'number') return isBelow(slot, operand, pass, fail);
      return undefined;
    case '<=':
      if (typeof operand === 'number') return isAtMost(slot, operand, pass, fail);
      return undefined;
    case 'in':
      if (isStringList(operand)) return isOneOf(slot, operand, pass, fail);
      return undefined;
    case 'notIn':
      if (isStringList(operand)) return isNoneOf(slot, operand, pass, fail);
      return undefined;
    case 'startsWith':
      if (typeof operand === 'string') return startsWith(slot, operand, pass, fail);
      return undefined;
    default:
      return undefined;
  }
}

function isTrue(slot: number, operand: true, pass: Predicate, fail: Predicate): Predicate {
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return value === operand;
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return value === operand ? pass(claims) : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return value === operand ? PASS(claims) : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return value === operand ? pass(claims) : fail(claims);
  };
}

function equalsString(slot: number, operand: string, pass: Predicate, fail: Predicate): Predicate {
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return typeof value === 'string' && value === operand;
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'string' && value === operand ? pass(claims) : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'string' && value === operand ? PASS(claims) : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return typeof value === 'string' && value === operand ? pass(claims) : fail(claims);
  };
}

function differsFromString(slot: number, operand: string, pass: Predicate, fail: Predicate): Predicate {
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return typeof value === 'string' ? value !== operand : value !== undefined;
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return (typeof value === 'string' ? value !== operand : value !== undefined)
        ? pass(claims)
        : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return (typeof value === 'string' ? value !== operand : value !== undefined)
        ? PASS(claims)
        : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return (typeof value === 'string' ? value !== operand : value !== undefined)
      ? pass(claims)
      : fail(claims);
  };
}

function isAbove(slot: number, operand: number, pass: Predicate, fail: Predicate): Predicate {
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return typeof value === 'number' && value > operand;
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'number' && value > operand ? pass(claims) : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'number' && value > operand ? PASS(claims) : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return typeof value === 'number' && value > operand ? pass(claims) : fail(claims);
  };
}

function isAtLeast(slot: number, operand: number, pass: Predicate, fail: Predicate): Predicate {
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return typeof value === 'number' && value >= operand;
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'number' && value >= operand ? pass(claims) : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'number' && value >= operand ? PASS(claims) : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return typeof value === 'number' && value >= operand ? pass(claims) : fail(claims);
  };
}

function isBelow(slot: number, operand: number, pass: Predicate, fail: Predicate): Predicate {
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return typeof value === 'number' && value < operand;
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'number' && value < operand ? pass(claims) : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'number' && value < operand ? PASS(claims) : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return typeof value === 'number' && value < operand ? pass(claims) : fail(claims);
  };
}

function isAtMost(slot: number, operand: number, pass: Predicate, fail: Predicate): Predicate {
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return typeof value === 'number' && value <= operand;
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'number' && value <= operand ? pass(claims) : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'number' && value <= operand ? PASS(claims) : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return typeof value === 'number' && value <= operand ? pass(claims) : fail(claims);
  };
}

function isOneOf(slot: number, operand: readonly string[], pass: Predicate, fail: Predicate): Predicate {
  if (operand.length <= 3) return isOneOfThree(slot, operand, pass, fail);
  const list = new LazySet(operand);
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return typeof value === 'string' && list.has(value);
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'string' && list.has(value) ? pass(claims) : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'string' && list.has(value) ? PASS(claims) : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return typeof value === 'string' && list.has(value) ? pass(claims) : fail(claims);
  };
}

function isOneOfThree(slot: number, operand: readonly string[], pass: Predicate, fail: Predicate): Predicate {
  const [first, second = first, third = first] = operand;
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return typeof value === 'string' && (value === first || value === second || value === third);
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'string' && (value === first || value === second || value === third)
        ? pass(claims)
        : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'string' && (value === first || value === second || value === third)
        ? PASS(claims)
        : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return typeof value === 'string' && (value === first || value === second || value === third)
      ? pass(claims)
      : fail(claims);
  };
}

function isNoneOf(slot: number, operand: readonly string[], pass: Predicate, fail: Predicate): Predicate {
  const list = new LazySet(operand);
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return typeof value === 'string' ? !list.has(value) : value !== undefined;
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return (typeof value === 'string' ? !list.has(value) : value !== undefined)
        ? pass(claims)
        : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return (typeof value === 'string' ? !list.has(value) : value !== undefined)
        ? PASS(claims)
        : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return (typeof value === 'string' ? !list.has(value) : value !== undefined) ? pass(claims) : fail(claims);
  };
}

function startsWith(slot: number, operand: string, pass: Predicate, fail: Predicate): Predicate {
  if (pass === PASS && fail === FAIL)
    return (claims) => {
      assertClaimSet(claims);
      const value = claims[slot];
      return typeof value === 'string' && value.startsWith(operand);
    };
  if (fail === FAIL)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'string' && value.startsWith(operand) ? pass(claims) : FAIL(claims);
    };
  if (pass === PASS)
    return (claims) => {
      const value = claims[slot];
      return typeof value === 'string' && value.startsWith(operand) ? PASS(claims) : fail(claims);
    };
  return (claims) => {
    const value = claims[slot];
    return typeof value === 'string' && value.startsWith(operand) ? pass(claims) : fail(claims);
  };
}

function isStringList(operand: unknown): operand is readonly string[] {
  if (!Array.isArray(operand)) return false;
  // A loop, since V8 does not inline the callback of `every` for a frozen list.
  for (const element of operand) if (typeof element !== 'string') return false;
  return true;
}

/** A set that is created by the first look-up: most compiled queries are used only a few times, and often another check decides. */
class LazySet {
  readonly #elements: readonly string[];
  #set: ReadonlySet<string> | undefined;

  constructor(elements: readonly string[]) {
    this.#elements = elements;
  }

  has(value: string): boolean {
    this.#set ??= new Set(this.#elements);
    return this.#set.has(value);
  }
}
