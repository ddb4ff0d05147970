/** Compares the page on the mechanized semantics with the Coq sources. Does not require Coq. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findGap, readAssumptions } from '../proofs/assumptions.js';
import { PROOFS, theorems, theoryFiles } from '../proofs/theorems.js';

const PAGE = readFileSync(
  fileURLToPath(new URL('../../docs/reference/mechanized-semantics.md', import.meta.url)),
  'utf8',
);

it('the page on the mechanized semantics lists every theorem, with a link to its file', () => {
  const listed = [...PAGE.matchAll(/^\| \[`(\w+)`\]\(\.\.\/\.\.\/test\/proofs\/theories\/(\w+)\.v\)/gm)];
  const expected = theorems().map(({ module, name }) => `${module}.${name}`);
  expect(listed.map(([, name, module]) => `${module}.${name}`).sort()).toEqual([...expected].sort());
  expect(PAGE).toContain(`with ${expected.length} theorems`);
});

it('`_CoqProject` lists every file of the proofs', () => {
  const files = readdirSync(join(PROOFS, 'theories')).filter((name) => name.endsWith('.v'));
  expect(
    theoryFiles()
      .map((path) => path.replace('theories/', ''))
      .sort(),
  ).toEqual(files.sort());
  expect(theoryFiles().every((path) => existsSync(join(PROOFS, path)))).toBe(true);
});

it('every file of the proofs starts with a comment, and every theorem follows a comment', () => {
  for (const path of theoryFiles()) {
    const text = readFileSync(join(PROOFS, path), 'utf8');
    expect(text, path).toMatch(/^\(\*\* [A-Z]/);
    const undocumented = [...text.matchAll(/^(.*)\n *Theorem (\w+)/gm)].filter(
      ([, before = '']) => !before.endsWith('*)'),
    );
    expect(undocumented.map(([, , name]) => name)).toEqual([]);
  }
});

it('every report of Coq that does not state that a theorem is closed counts as an axiom, whatever its form', () => {
  const reports = [
    'Closed under the global context',
    'Axioms:\nextensionality\n  : forall (A B : Type) (f g : A -> B), f = g',
    'Axioms:\n@seq relies on definitional UIP.',
    'Axioms:\nloop is assumed to be guarded.',
    'Closed under the global context\nSection Variables:\nx : nat',
  ];
  const [closed, ...others] = reports;
  expect(readAssumptions(`${closed}\n${others.join('\n')}\n`)).toEqual([undefined, ...others]);
});

it.each([
  'Admitted.',
  'Axiom choice : True.',
  'Unset Guard Checking.',
  'Unset Positivity Checking.',
  'Local Unset  Universe Checking.',
  '#[bypass_check(positivity)]',
])('a proof must not contain `%s`', (command) => {
  expect(findGap(`Lemma one : True.\n${command}\n`)).toBeDefined();
});
