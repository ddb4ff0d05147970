/** Measures one figure of policy sets in a separate process, and prints JSON: `node measure.mjs <figure> [arguments]`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClaimSet, type CompiledQuery, compilePredicate, re2js } from '../../src/index.js';
import { createPolicySet, type PolicySet, policySetFromBytes } from '../../src/policy-set/index.js';
import {
  type DrawnPolicy,
  drawPolicies,
  drawPolicySetPeople,
  type PolicyScenario,
} from '../scenarios/policy-sets.js';
import { spreadOf } from '../timing/statistics.js';
import { HOSTILE_SETS } from './hostile.js';
import { PEERS } from './peers.js';
import type { HostileFigure, PeerFigure, SetFigure } from './results.js';

const PEOPLE = 40;
/** More policies than this are not compiled: a million take more than 4 GB. */
const MOST_COMPILED = 100_000;
/** Matches that are timed together, since one match is too short to time. */
const MATCHES = 10;
/** Rounds that are not counted: both sides run faster once the optimizer has compiled them. */
const WARM_UP_ROUNDS = 15;
/** Processes that load a set. */
const LOADS = 5;

const [figure, ...args] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await measure()));

function measure(): SetFigure | HostileFigure | Promise<PeerFigure> | number {
  switch (figure) {
    case 'set':
      return measureSet(JSON.parse(args[0] as string) as PolicyScenario, Number(args[1]));
    case 'hostile':
      return measureHostile(args[0] as string, Number(args[1]));
    case 'peer':
      return measurePeer(args[0] as string, Number(args[1]));
    case 'load':
      return measureLoading(args[0] as string);
    default:
      throw new RangeError(`unknown figure: ${figure}`);
  }
}

/** Measures matching with a set and with the same policies compiled one by one, and the cost of adding, compiling and loading. */
function measureSet(scenario: PolicyScenario, rounds: number): SetFigure {
  const policies = drawPolicies(scenario);
  const people = drawPolicySetPeople(PEOPLE).map((claims) => ClaimSet.of(claims));
  return { scenario, ...measurePolicies(policies, people, rounds) };
}

function measurePolicies(
  policies: readonly object[],
  people: readonly ClaimSet[],
  rounds: number,
): Omit<SetFigure, 'scenario'> {
  const add = () => addAll(policies);
  const compileAll = () =>
    policies.map((query) => compilePredicate(query, { regex: re2js, catalogue: 'none' }));
  // Warms up, since the first calls run unoptimized.
  addAll(policies.slice(0, 2_000));
  let set = createPolicySet();
  const [adding, memory] = withMemory(() => {
    set = add();
  });
  let compiled: readonly CompiledQuery[] = [];
  const [compiling, compiledMemory] = withMemory(() => {
    if (policies.length <= MOST_COMPILED) compiled = compileAll();
  });
  const passed = people.map((person) => set.match(person).length);
  const isCompiled = compiled.length > 0;
  if (isCompiled) for (const person of people.slice(0, 2)) assertEqual(set, compiled, person);
  const [ours, oneByOne] = [[] as number[], [] as number[]];
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    const person = people[round % people.length] as ClaimSet;
    const testing = time(() => void compiled.filter((query) => query.test(person)));
    const matched = Array.from(
      { length: MATCHES },
      (_, index) => people[(round + index) % people.length] as ClaimSet,
    );
    const matching = time(() => matched.forEach((each) => void set.match(each))) / MATCHES;
    if (round < WARM_UP_ROUNDS) continue;
    oneByOne.push(testing);
    ours.push(matching);
  }
  return {
    policies: policies.length,
    passing: passed.reduce((sum, count) => sum + count, 0) / people.length / policies.length,
    checks: set.stats().checks,
    residual: set.stats().residual,
    matchMs: spreadOf(ours),
    addingMs: adding,
    bytesEach: memory / policies.length,
    ...(isCompiled && {
      saved: measureSaved(set),
      compiled: {
        bytesEach: compiledMemory / policies.length,
        compilingMs: compiling,
        oneByOneMs: spreadOf(oneByOne),
        ratio: spreadOf(ours.map((each, round) => (oneByOne[round] as number) / each)),
      },
    }),
  };
}

/** Saves a set, and loads it in new processes, as programs that start with a saved set do. */
function measureSaved(set: PolicySet): Exclude<SetFigure['saved'], undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-policy-set-'));
  try {
    const path = join(folder, 'set');
    const bytes = set.toBytes();
    writeFileSync(path, bytes);
    const times = Array.from({ length: LOADS }, () =>
      Number(execFileSync(process.execPath, [process.argv[1] as string, 'load', path])),
    );
    return { loadingMs: spreadOf(times), megabytes: bytes.length / 1e6 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the elapsed time of loading a set, in milliseconds. */
function measureLoading(path: string): number {
  const bytes = readFileSync(path);
  const startedAt = performance.now();
  policySetFromBytes(bytes, { regex: re2js });
  return performance.now() - startedAt;
}

function measureHostile(name: string, policies: number): HostileFigure {
  const hostile = HOSTILE_SETS.find((each) => each.name === name);
  if (hostile === undefined) throw new RangeError(`unknown set: ${name}`);
  const drawn = Array.from({ length: policies }, (_, index) => hostile.policy(index));
  return { name, ...measurePolicies(drawn, [ClaimSet.of(hostile.person)], 5) };
}

async function measurePeer(name: string, rounds: number): Promise<PeerFigure> {
  const peer = PEERS.find((each) => each.name === name);
  if (peer === undefined) throw new RangeError(`unknown peer: ${name}`);
  const policies = drawPolicies({ policies: peer.policies, passing: 0.005 });
  const people = drawPolicySetPeople(PEOPLE);
  const set = addAll(policies);
  const count = await peer.prepare(policies);
  const [ours, theirs] = [[] as number[], [] as number[]];
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    const person = people[round % people.length] as (typeof people)[number];
    const claims = ClaimSet.of(person);
    const startedAt = cpuTime();
    const counted = await count(person);
    const counting = cpuTime() - startedAt;
    const matched = set.match(claims).length;
    if (counted !== matched) throw new Error(`${name}: ${counted} policies passed, not ${matched}`);
    const matching = time(() => repeat(() => set.match(claims))) / MATCHES;
    if (round < WARM_UP_ROUNDS) continue;
    theirs.push(counting);
    ours.push(matching);
  }
  return {
    name,
    policies: policies.length,
    peerMs: spreadOf(theirs),
    ratio: spreadOf(theirs.map((each, round) => each / (ours[round] as number))),
  };
}

function addAll(policies: readonly (DrawnPolicy | object)[]): PolicySet {
  const set = createPolicySet({ regex: re2js });
  for (const [index, query] of policies.entries()) set.add(`policy-${index}`, query);
  return set;
}

function assertEqual(set: PolicySet, compiled: readonly CompiledQuery[], person: ClaimSet): void {
  const expected = compiled.flatMap((query, index) => (query.test(person) ? [`policy-${index}`] : []));
  if (expected.join() !== set.match(person).join())
    throw new Error('the set differs from testing one by one');
}

function repeat(call: () => unknown): void {
  for (let count = 0; count < MATCHES; count += 1) call();
}

/** Returns the CPU time of a call in milliseconds: unlike elapsed time, it depends little on other processes. */
function time(call: () => void): number {
  globalThis.gc?.({ type: 'minor', execution: 'sync' } as never);
  const startedAt = cpuTime();
  call();
  return cpuTime() - startedAt;
}

/** Returns the CPU time of the process so far, in milliseconds. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Returns the CPU time of a call in milliseconds, and the bytes that it leaves after garbage collection. */
function withMemory(call: () => void): readonly [ms: number, bytes: number] {
  const before = usedBytes();
  const ms = time(call);
  return [ms, usedBytes() - before];
}

function usedBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
