/** The export tabs: result, `curl` command, TypeScript program, explanation and scopes. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { omitUndefined } from '../../../util/omit-undefined.js';
import type { CompletedEvaluation } from '../model/evaluate.js';
import { curlLine, typescriptProgram } from '../model/snippets.js';
import { Explained } from './explained.js';
import { Scopes } from './scopes.js';
import { type Tab, Tabs } from './tabs.js';

interface ExportTabsProps {
  readonly evaluation: CompletedEvaluation;
  /** A sample person; `undefined` for the user's own credentials. */
  readonly person: string | undefined;
  readonly baseUrl: string;
}

/** Shows the tabs. */
export function ExportTabs(props: ExportTabsProps) {
  const { evaluation, person, baseUrl } = useAfterPaint(props);
  return useMemo(
    () => <Tabs label="Use this policy" tabs={tabsOf(evaluation, person, baseUrl)} />,
    [evaluation, person, baseUrl],
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
): readonly Tab[] {
  const { result, query, scopes } = evaluation;
  const input = { query, scopes, baseUrl, ...omitUndefined({ person }) };
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
      id: 'scopes',
      title: 'Scopes',
      content: () => <Scopes required={scopes} claims={claimsOf(result)} />,
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
