/** Unicode classes and case folding, as implemented by the pattern engine, whose version of Unicode may vary (L18). */
import type { CompiledPattern, RegexEngine } from '../../engine/index.js';
import { type Characters, LAST_CODE_POINT, type Range, union } from '../../re2-syntax/characters.js';
import type { UnicodeLookup } from '../../re2-syntax/parse-pattern.js';

/** Number of characters in a first test. High and low surrogates are in separate blocks, so they form no pairs. */
const BLOCK = 0x400;

const MAX_CACHED = 1_000;

/** The cached classes of an engine, and all characters in blocks, created with its first class. */
interface EngineCache {
  readonly classes: Map<string, Characters | undefined>;
  readonly blocks: readonly string[];
}

const cache = new WeakMap<RegexEngine, EngineCache>();

/** Looks classes up by matching all characters with the engine once, which takes 20 to 100 ms. Caches up to 1,000 for each engine. */
export function unicodeLookup(regex: RegexEngine | undefined): UnicodeLookup {
  if (regex === undefined) return () => undefined;
  return (source) => {
    const { classes, blocks } = cache.get(regex) ?? { classes: new Map(), blocks: allCharacters() };
    cache.set(regex, { classes, blocks });
    if (!classes.has(source)) {
      if (classes.size === MAX_CACHED) classes.clear();
      classes.set(source, findCharacters(source, regex, blocks));
    }
    return classes.get(source);
  };
}

function findCharacters(
  source: string,
  regex: RegexEngine,
  blocks: readonly string[],
): Characters | undefined {
  const [some, all] = [regex.compile(source), regex.compile(`^(?:${source})*$`)];
  if (!some.accepted || !all.accepted) return undefined;
  const found: Range[] = [];
  for (const [index, block] of blocks.entries()) {
    addMatching(block, index * BLOCK, some.pattern, all.pattern, found);
  }
  return union(found);
}

/** Halves a string of consecutive characters until none or all of them match. */
function addMatching(
  characters: string,
  first: number,
  some: CompiledPattern,
  all: CompiledPattern,
  found: Range[],
): void {
  if (!some.test(characters)) return;
  const count = characters.length / String.fromCodePoint(first).length;
  if (all.test(characters)) {
    found.push([first, first + count - 1]);
    return;
  }
  const [half, middle] = [count / 2, characters.length / 2];
  addMatching(characters.slice(0, middle), first, some, all, found);
  addMatching(characters.slice(middle), first + half, some, all, found);
}

function allCharacters(): readonly string[] {
  return Array.from({ length: (LAST_CODE_POINT + 1) / BLOCK }, (_, index) => charactersFrom(index * BLOCK));
}

function charactersFrom(first: number): string {
  return String.fromCodePoint(...Array.from({ length: BLOCK }, (_, index) => first + index));
}
