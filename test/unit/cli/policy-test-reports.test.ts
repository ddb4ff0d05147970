/** The reports of `proviso test`: hostile titles, required coverage, and invalid files as text, TAP and JUnit. */
import { describe, expect, it } from 'vitest';
import { plain } from '../../../src/cli/paint.js';
import { formatTextReport, toReport } from '../../../src/cli/policy-tests/report.js';
import { formatJunitReport } from '../../../src/cli/policy-tests/report-junit.js';
import { formatTapReport } from '../../../src/cli/policy-tests/report-tap.js';
import type { TestFileResult } from '../../../src/cli/policy-tests/run-test-file.js';
import { parsePolicyTest, runPolicyTest } from '../../../src/policy-tests/index.js';

const HOSTILE = 'a "title" # skip <b> & \u001b[31m\nnot ok 1 \\ \u0000';

function resultOf(cases: readonly object[], value = '<&>"'): TestFileResult {
  const query = { check: { claim: 'identity.email', operator: '==', value } };
  const result = runPolicyTest(parsePolicyTest({ query, cases }));
  return { kind: 'run', file: 'a.policy-test.json', queryFile: 'a.json', involved: [], result };
}

const FAILED = resultOf([{ title: HOSTILE, claims: { 'identity.email': ']]>' }, passes: true }]);
const INVALID: TestFileResult = {
  kind: 'invalid',
  file: 'b.json',
  involved: [],
  message: 'b.json is invalid:\n  /now: no',
};
const report = toReport([FAILED, INVALID], 100);

describe('the report of policy tests', () => {
  it('is TAP to which no title can add lines or directives', () => {
    expect(formatTapReport(report)).toBe(`TAP version 14
1..3
not ok 1 - a.policy-test.json › a "title" \\# skip <b> &  [31m not ok 1 \\\\${'  '}
  ---
  expected: "passes"
  actual: "does not pass"
  failing: ["identity.email == \\"<&>\\\\\\"\\"   ← \\"]]>\\""]
  ...
not ok 2 - b.json
  ---
  message: "b.json is invalid:\\n  /now: no"
  ...
not ok 3 - coverage of at least 100 %
  ---
  message: "coverage 50 % (1 of 2: 1 check, passing and failing; at least 100 % required)"
  ...
# uncovered: a.json (root) identity.email == "<&>\\"": no case in which it passes and decides the verdict
# coverage 50 % (1 of 2: 1 check, passing and failing; at least 100 % required)`);
  });

  it('states that a required coverage was not reached where no test could be run', () => {
    const invalid = toReport([INVALID], 1);
    expect(formatTapReport(invalid)).toContain('not ok 2 - coverage of at least 1 %');
    expect(formatJunitReport(invalid)).toContain('<failure type="coverage" message="coverage not measured">');
    expect(formatTapReport(toReport([INVALID], 0))).toContain('\nok 2 - coverage of at least 0 %');
  });

  it('is well-formed XML whatever a title contains', () => {
    const xml = formatJunitReport(report);
    expect(xml).toContain('<testsuites name="proviso" tests="3" failures="2" errors="1">');
    expect(xml).toContain(
      'name="a &quot;title&quot; # skip &lt;b&gt; &amp; \uFFFD[31m&#10;not ok 1 \\ \uFFFD"><failure type="verdict" message="expected: passes; actual: does not pass">identity.email == &quot;&lt;&amp;&gt;\\&quot;&quot;   ← &quot;]]&gt;&quot;</failure></testcase>',
    );
    expect(xml).toContain(
      '<error type="invalid" message="b.json is invalid:">b.json is invalid:&#10;  /now: no</error>',
    );
    // Without elements and escapes, no character of markup is left.
    const text = xml.replaceAll(/<[^<>]*>/g, '').replaceAll(/&(?:amp|lt|gt|quot|#\d+);/g, '');
    expect(text).not.toMatch(/[<>&]/);
  });

  it('replaces lone surrogates, which XML cannot contain', () => {
    const xml = formatJunitReport(
      toReport([resultOf([{ title: 'x\uD800', claims: {}, passes: false }])], undefined),
    );
    expect(xml).toContain('name="x\uFFFD" />');
  });

  it('is text with expected and actual verdicts, without control characters of titles', () => {
    expect(formatTextReport(report, plain)).toBe(`✗ a.policy-test.json (1 of 1 case failed)
  ✗ a "title" # skip <b> &  [31m not ok 1 \\${'  '}
    expected  passes
    actual    does not pass
      ✗ identity.email == "<&>\\""   ← "]]>"
✗ b.json
  b.json is invalid:
    /now: no

Uncovered checks:
  a.json (root) identity.email == "<&>\\"": no case in which it passes and decides the verdict

0 passed, 1 failed, 1 invalid; coverage 50 % (1 of 2: 1 check, passing and failing; at least 100 % required)`);
  });

  it('has no control characters of invalid files and of uncovered checks', () => {
    const hostile = '\u001b]0;x\u0007\u009b31m\u202e';
    const file = resultOf([{ title: 'x', claims: {}, passes: false }], hostile);
    const invalid: TestFileResult = {
      kind: 'invalid',
      file: 'b.json',
      involved: [],
      message: `b.json is invalid:\n  /${hostile}: no`,
    };
    const text = formatTextReport(toReport([file, invalid], undefined), plain);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(text).toContain('    /?]0;x??31m?: no\n');
    expect(text).toContain('identity.email == "\\u001b]0;x\\u0007?31m?": no case');
  });

  it('shows the failing claims where those are not as expected', () => {
    const one = { title: 'x', claims: {}, passes: false, failing: ['identity.email'] };
    const result = resultOf([one]);
    expect(formatTextReport(toReport([result], undefined), plain)).toContain('1 passed; coverage 50 %');
    const query = {
      policy: {
        allOf: [
          { claim: 'kyc.passed', operator: 'isDefined' },
          { claim: 'kyc.level', operator: 'isDefined' },
        ],
      },
    };
    const other = runPolicyTest(parsePolicyTest({ query, cases: [{ ...one, failing: ['kyc.level'] }] }));
    const file: TestFileResult = {
      kind: 'run',
      file: 'c.json',
      queryFile: 'c.json',
      involved: [],
      result: other,
    };
    expect(formatTextReport(toReport([file], undefined), plain)).toContain(`    expected  kyc.level failing
    actual    kyc.passed, kyc.level failing`);
  });
});
