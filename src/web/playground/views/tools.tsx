/** The tools for a policy: expected people, comparison with another policy, and the catalogue. */
import { useMemo } from 'preact/hooks';
import type { Credential, RegexEngine } from '../../../engine/index.js';
import type { ServiceCatalogue } from '../../../service/catalogue/service-catalogue.js';
import type { EditorHelp } from '../editor/completions.js';
import type { CompletedEvaluation, Evaluation, Note } from '../model/evaluate.js';
import { countExpectations, type Expected, type Results } from '../model/expected.js';
import type { Person } from '../model/people.js';
import type { SharedState } from '../model/share-link.js';
import { CataloguePanel } from './catalogue-panel.js';
import { Compare } from './compare.js';
import { ExpectedPeople } from './expected-people.js';
import { counted } from './parts.js';
import { Tabs } from './tabs.js';

interface ToolsProps {
  readonly state: SharedState;
  readonly evaluation: CompletedEvaluation | undefined;
  readonly people: readonly Person[];
  readonly catalogue: ServiceCatalogue;
  /** The problems of the user's own catalogue. */
  readonly catalogueNotes: readonly Note[];
  readonly evaluateOther: (text: string) => Evaluation;
  readonly regex: RegexEngine;
  readonly help: EditorHelp;
  readonly onChange: (changes: StateChanges) => void;
  /** Called to show the result for a witness. */
  readonly onWitness: (witness: Credential) => void;
}

/** Changes to the state; `undefined` removes an optional member. */
export type StateChanges = { readonly [Name in keyof SharedState]?: SharedState[Name] | undefined };

/** The tools, one per tab. */
export function Tools(props: ToolsProps) {
  const { state, evaluation, people, catalogue, onChange } = props;
  const expected = state.expected ?? {};
  const results = useMemo(
    () =>
      evaluation?.kind === 'predicate'
        ? new Map(people.map(({ name, credentials }) => [name, evaluation.passesFor(credentials)]))
        : undefined,
    [evaluation, people],
  );
  return (
    <Tabs
      id="tools"
      label="Check this policy"
      grows
      tabs={[
        {
          id: 'tests',
          title: testsTitle(results, expected),
          content: () => (
            <ExpectedPeople
              evaluation={evaluation}
              results={results}
              expected={expected}
              onExpected={(next) => onChange({ expected: Object.keys(next).length === 0 ? undefined : next })}
            />
          ),
        },
        {
          id: 'compare',
          title: 'Compare',
          content: () => (
            <Compare
              text={state.query}
              evaluation={evaluation}
              other={state.other}
              evaluateOther={props.evaluateOther}
              regex={props.regex}
              help={props.help}
              onOther={(other) => onChange({ other })}
              onSwap={() => onChange({ query: state.other ?? '', other: state.query })}
              onWitness={props.onWitness}
            />
          ),
        },
        {
          id: 'catalogue',
          title: catalogueTitle(props.catalogueNotes),
          content: () => (
            <CataloguePanel
              text={state.catalogue}
              notes={props.catalogueNotes}
              counts={{
                claims: catalogue.definition.claims.length,
                scopes: catalogue.definition.scopes.length,
              }}
              onText={(text) => onChange({ catalogue: text })}
            />
          ),
        },
      ]}
    />
  );
}

function testsTitle(results: Results | undefined, expected: Expected): string {
  if (results === undefined) return 'Tests';
  const { met, total } = countExpectations(results, expected);
  return total === 0 ? 'Tests' : `Tests: ${met} of ${total}`;
}

function catalogueTitle({ length }: readonly Note[]): string {
  return length === 0 ? 'Catalogue' : `Catalogue: ${counted(length, 'problem')}`;
}
