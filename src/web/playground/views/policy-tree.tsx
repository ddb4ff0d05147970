/** The policy as a tree: expected values, actual values and outcomes (L19, L21). */
import { useMemo, useRef } from 'preact/hooks';
import {
  type CheckNode,
  hasPassed,
  type OperatorNode,
  type TreeNode,
} from '../../../analysis/policy-tree.js';
import { keepUnchanged } from '../model/policy-tree.js';
import { formatValue, Mark, PlainList } from './parts.js';

const OPERATOR_LABELS: Readonly<Record<OperatorNode['kind'], string>> = {
  allOf: 'all of',
  anyOf: 'any of',
  not: 'not',
};

/** The tree, as nested lists. */
export function PolicyTree({ tree }: { readonly tree: TreeNode }) {
  const drawn = useRef<TreeNode | undefined>(undefined);
  drawn.current = keepUnchanged(tree, drawn.current);
  return (
    <PlainList class="tree" label="Result of each check">
      <Node node={drawn.current} />
    </PlainList>
  );
}

/** Renders a node; an unchanged node is not rendered again. */
function Node({ node }: { readonly node: TreeNode }) {
  return useMemo(() => (node.kind === 'check' ? <Check node={node} /> : <Group node={node} />), [node]);
}

function Group({ node: { kind, passed, items } }: { readonly node: OperatorNode }) {
  const outcome = passed ? 'passed' : 'failed';
  const passing = items.filter(hasPassed).length;
  return (
    <li class="group" data-outcome={outcome}>
      <p class="group-head">
        <Mark outcome={outcome} />
        <strong class="group-name">{OPERATOR_LABELS[kind]}</strong>
        <span class="quiet small">
          {kind === 'not'
            ? passing === 0
              ? 'item fails'
              : 'item passes'
            : `${passing} of ${items.length} ${passing === 1 ? 'passes' : 'pass'}`}
        </span>
      </p>
      <PlainList class="group-items">
        {items.map((item, index) => (
          <Node key={index} node={item} />
        ))}
      </PlainList>
    </li>
  );
}

function Check({ node: { result, outcome, source } }: { readonly node: CheckNode }) {
  const { claim, operator, expectedValue, actualValue } = result;
  return (
    <li class="check" data-outcome={outcome}>
      <Mark outcome={outcome} />
      <span class="check-condition">
        <code class="check-claim">
          <bdi>{claim}</bdi>
        </code>
        <code class="check-expected">
          {/* Always left to right: mirrored, `>=` would look like `<=`. */}
          <bdi dir="ltr">
            {operator} <bdi>{operator === 'isDefined' ? '' : formatValue(expectedValue)}</bdi>
          </bdi>
        </code>
      </span>
      <span class="check-found">
        {actualValue === undefined ? (
          <span class="check-actual">not defined</span>
        ) : (
          <span>
            <span class="quiet">is </span>
            <code class="check-actual">
              <bdi dir="ltr">{formatValue(actualValue)}</bdi>
            </code>
          </span>
        )}
        {source === undefined ? undefined : (
          <span class="check-source">
            <bdi>{source}</bdi>
          </span>
        )}
      </span>
    </li>
  );
}
