/** The export tabs: result, `curl` command, TypeScript program, explanation, description and scopes. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ServiceCatalogue } from '../../../service/catalogue/service-catalogue.js';
import { omitUndefined } from '../../../util/omit-undefined.js';
import { DEFAULT } from '../model/catalogue.js';
import type { CompletedEvaluation } from '../model/evaluate.js';
import { curlLine, typescriptProgram } from '../model/snippets.js';
import { Described } from './described.js';
import { Explained } from './explained.js';
import { Scopes } from './scopes.js';
import { type Tab, Tabs } from './tabs.js';

interface ExportTabsProps {
  readonly evaluation: CompletedEvaluation;
  /** A sample person; `undefined` for the user's own credentials. */
  readonly person: string | undefined;
  readonly baseUrl: string;
  readonly catalogue: ServiceCatalogue;
}

/** Shows the tabs. */
export function ExportTabs(props: ExportTabsProps) {
  const { evaluation, person, baseUrl, catalogue } = useAfterPaint(props);
  return useMemo(
    () => <Tabs id="export" label="Use this policy" tabs={tabsOf(evaluation, person, baseUrl, catalogue)} />,
    [evaluation, person, baseUrl, catalogue],
  );
}

/** Returns a value after the next paint, so that these long texts do not delay typing. */
function useAfterPaint<Value>(value: Value): Value {
  const [painted, paint] = useState(value);
  useEffect(() => paint(() => value));
  return painted;
}

function tabsOf(
  evaluation: CompletedEvaluation,
  person: string | undefined,
  baseUrl: string,
  catalogue: ServiceCatalogue,
): readonly Tab[] {
  const { result, query, scopes } = evaluation;
  // The sandbox has neither the scopes nor the generated people of the user's own catalogue.
  const input = {
    query,
    scopes,
    baseUrl,
    ...omitUndefined(catalogue === DEFAULT ? { person } : { catalogue }),
  };
  const textTab = (id: string, title: string, text: () => string): Tab => ({
    id,
    title,
    content: () => <Code text={text()} />,
    copied: text,
  });
  return [
    textTab('answer', 'Result', () => JSON.stringify(result, undefined, 2)),
    textTab('curl', 'curl', () => curlLine(input)),
    textTab('typescript', 'TypeScript', () => typescriptProgram(input)),
    ...(evaluation.kind === 'predicate'
      ? [
          {
            id: 'explain',
            title: 'Explain',
            content: () => <Explained explained={evaluation.explain()} />,
          },
        ]
      : []),
    {
      id: 'describe',
      title: 'In words',
      content: () => <Described query={query} catalogue={catalogue} />,
    },
    {
      id: 'scopes',
      title: 'Scopes',
      content: () => <Scopes required={scopes} claims={claimsOf(result)} catalogue={catalogue} />,
    },
  ];
}

function claimsOf(result: CompletedEvaluation['result']): readonly string[] {
  if (result.type === 'projection') return Object.keys(result.data);
  return [...new Set(result.evidence.checkResults.map(({ claim }) => claim))];
}

function Code({ text }: { readonly text: string }) {
  return (
    <pre class="code" dir="ltr">
      <code>{text}</code>
    </pre>
  );
}
