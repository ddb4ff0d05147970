/** Rejects coined identifiers for which the field has a standard term. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Coined identifiers and their replacements. */
const COINED: Readonly<Record<string, string>> = {
  Speaker: 'Attestation',
  SpokenClaim: 'Attestation',
  speaksFor: 'attests',
  speaksBefore: 'takesPrecedenceOver',
  carrier: 'parent claim',
  carriers: 'parent claims',
  AboutClaims: 'metadata',
  Filling: 'builder',
  filling: 'builder',
  filler: 'builder',
  isText: 'isString',
  TextSet: 'StringSet',
  joint: 'combinator',
  Reading: 'ParseContext',
  WAYS: 'ITEM_SHAPES',
  onlyWay: 'matchShape',
  FOREIGN_NAMES: 'OPERATOR_ALIASES',
  AnswerWriter: 'result serializer',
  GivenColumn: 'ColumnInput',
  CodedColumn: 'dictionary column',
  ManyAnswer: 'BulkResult',
  Interruption: 'abort signal',
  EndOfTurn: 'after the current event-loop turn',
  afterTurn: 'after the current event-loop turn',
  numbersBeside: 'representative values',
  textsBeside: 'representative values',
  instantsBeside: 'representative values',
  lessAndLess: 'shrink',
  smallestScenario: 'minimal scenario',
  nearlyQuery: 'mutated query',
  TakenAlong: 'export tabs',
  whatStaysPrivate: 'hidden claims',
  whyRequired: 'requirement reason',
  keepSwept: 'startExpirySweeper',
  keepShared: 'rate-limit synchronization',
  SharedUse: 'shared rate-limit store',
  keepSigningKeys: 'ensureSigningKeys',
  keepSecret: 'getOrCreateSecret',
  Standing: 'RateLimitStatus',
  findLivingGrant: 'findActiveGrant',
  Holding: 'GrantKey',
  Sharing: 'ApplicationAccess',
  browserKey: 'browser binding',
  begunHere: 'isBoundToBrowser',
  isBegunBy: 'isBoundToBrowser',
  formProof: 'csrfToken',
  cursorKey: 'serviceKey.derive(purpose)',
  signInElsewhere: 'external sign-in',
  toOwnLogin: 'external sign-in',
  countingFailures: 'withFailureLimit',
  assertRoom: 'assertCapacity',
  Answered: 'RequestLogEntry',
  onAnswered: 'onResponse',
  underWay: 'inFlight',
  sentBack: 'redirectResponse',
  carryOut: 'applyDecision',
  pageOf: 'renderPage',
  ReadMemory: 'read cache',
  Freshness: 'change detector',
  AskedMark: 'snapshot token',
  reseal: 're-encrypt',
  leftBehind: 'tables to vacuum',
  TellValues: 'audit event',
  Surroundings: 'CliContext',
  Circumstances: 'CliContext',
  Untranslatable: 'unsupported construct',
  findBeside: 'findWithFree',
  nothingThere: 'noRouteMatch',
};

it('source, tests, benchmarks and build scripts have no coined identifier', () => {
  const found = execFileSync('git', ['ls-files', 'src', 'test', 'bench', 'build'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(
      (path) =>
        existsSync(join(ROOT, path)) &&
        /\.tsx?$/.test(path) &&
        path !== 'test/architecture/vocabulary.test.ts',
    )
    .flatMap((path) =>
      [...new Set(identifiersOf(path))]
        .filter((name) => Object.hasOwn(COINED, name))
        .map((name) => `${path}: ${name} (use: ${COINED[name]})`),
    );
  expect(found).toEqual([]);
});

const ANY_COINED = new RegExp(`\\b(?:${Object.keys(COINED).join('|')})\\b`);

/** The identifiers of a file. Skips parsing, and returns none, if the text contains no coined word. */
function identifiersOf(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  if (!ANY_COINED.test(text)) return [];
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.push(node.text.replace(/^#/, ''));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return names;
}
