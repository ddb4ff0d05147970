/** Completions for a position in a query: members, operators and values from the JSON Schema, claims from the catalogue (L1–L5). */

import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  pickedCompletion,
  snippet,
} from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { CatalogueClaim, JsonObject } from '../../../engine/index.js';
import { omitUndefined } from '../../../util/omit-undefined.js';
import { createSchemaGuide, type Path, type SchemaGuide, type Siblings } from './schema-guide.js';

/** A claim, as far as completions need it. */
export type CompletedClaim = Pick<CatalogueClaim, 'path' | 'type' | 'description' | 'values'>;

/** The sources of completions. */
export interface EditorHelp {
  /** The JSON Schema of the edited text. */
  readonly schema: JsonObject;
  readonly claims: readonly CompletedClaim[];
}

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

const VALUES = ['String', 'Number', 'True', 'False', 'Null', 'Object', 'Array'];
const PLAIN = ['String', 'Number', 'True', 'False', 'Null'];

/** Templates for an item of a policy. */
const ITEMS: readonly (readonly [string, string, string])[] = [
  [
    'check',
    '{ "claim": "#{identity.age}", "operator": "#{>=}", "value": #{18} }',
    'A condition on one claim.',
  ],
  ['all of', '{ "allOf": [#{}] }', 'Passes when every item passes.'],
  ['any of', '{ "anyOf": [#{}] }', 'Passes when at least one item passes.'],
  ['not', '{ "not": #{} }', 'Passes when its item does not.'],
];

/** Templates for an empty text. */
const QUERIES: readonly (readonly [string, string, string])[] = [
  [
    'a check',
    '{ "check": { "claim": "#{identity.age}", "operator": "#{>=}", "value": #{18} } }',
    'One condition.',
  ],
  ['a policy', '{ "policy": { "allOf": [#{}] } }', 'Conditions joined.'],
  [
    'projections',
    '{ "projections": [{ "claim": "#{identity.nationality}", "lens": "#{pluck}" }] }',
    'Claims to disclose.',
  ],
];

/** Creates the completion source. @param help - Called for each completion; must return the same schema each time. */
export function createCompletions(help: () => EditorHelp): CompletionSource {
  const guide = createSchemaGuide(help().schema);
  return (context) => {
    const { claims } = help();
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    if (node.name === 'PropertyName') return namesAt(context, node, guide);
    if (PLAIN.includes(node.name)) {
      return valuesAt(context.state, node, pathTo(context.state, node), { guide, claims });
    }
    // At an empty position, completes only on request.
    return context.explicit ? completeEmptyPosition(context, { guide, claims }) : null;
  };
}

interface Knowledge {
  readonly guide: SchemaGuide;
  readonly claims: readonly CompletedClaim[];
}

/** Completes an empty position, depending on the character before it. */
function completeEmptyPosition(
  { state, pos }: CompletionContext,
  knowledge: Knowledge,
): CompletionResult | null {
  const at = { from: pos, to: pos };
  const before = state.sliceDoc(0, pos).trimEnd();
  if (before === '') return { ...at, options: QUERIES.map((query) => itemOption(query, pos)) };
  const sign = before.at(-1) ?? '';
  const node = syntaxTree(state).resolveInner(before.length, -1);
  const around = nearest(node, sign === ':' ? ['Property'] : ['Object', 'Array']);
  if (around === undefined) return null;
  const path = pathTo(state, around);
  if (sign === ':') return valuesAt(state, at, path, knowledge, siblingsOf(state, around.parent));
  if (around.name === 'Object') {
    const isOpen = sign === '{' || sign === ',';
    return isOpen ? namesOf(knowledge.guide, path, siblingsOf(state, around), at, true) : null;
  }
  return sign === '[' || sign === ',' ? valuesAt(state, at, [...path, 0], knowledge) : null;
}

function namesAt(context: CompletionContext, name: SyntaxNode, guide: SchemaGuide): CompletionResult | null {
  const property = name.parent;
  const object = property?.parent;
  if (property == null || object == null) return null;
  const hasValue = context.state.sliceDoc(name.to, property.to).includes(':');
  return namesOf(guide, pathTo(context.state, object), siblingsOf(context.state, object), name, !hasValue);
}

function namesOf(
  guide: SchemaGuide,
  path: Path,
  siblings: Siblings,
  { from, to }: { readonly from: number; readonly to: number },
  withValue: boolean,
): CompletionResult | null {
  const members = guide.membersAt(path, siblings);
  const options = members.map(({ name, description, begin }): Completion => {
    const template = withValue ? `"${name}": ${begin}` : `"${name}"`;
    return {
      label: `"${name}"`,
      displayLabel: name,
      type: 'property',
      ...omitUndefined({ info: description }),
      apply: replacing(template, to),
    };
  });
  return options.length === 0 ? null : { from, options };
}

function valuesAt(
  state: EditorState,
  { from, to }: { readonly from: number; readonly to: number },
  path: Path,
  { guide, claims }: Knowledge,
  given?: Siblings,
): CompletionResult | null {
  const siblings = given ?? siblingsOf(state, nearest(syntaxTree(state).resolveInner(from, 1), ['Object']));
  const options = [
    ...(guide.isClaimAt(path) ? claims.map((claim) => claimOption(claim, to)) : []),
    ...guide
      .valuesAt(path, siblings)
      .map(({ value, description }) => valueOption(JSON.stringify(value), to, description)),
    ...(path.at(-1) === 'value' ? operandOptions(siblings, claims, to) : []),
    ...(guide.isItemAt(path) ? ITEMS.map((item) => itemOption(item, to)) : []),
  ];
  return options.length === 0 ? null : { from, options };
}

function claimOption({ path, type, description }: CompletedClaim, to: number): Completion {
  return {
    label: `"${path}"`,
    displayLabel: path,
    detail: type,
    info: description,
    apply: replacing(`"${path}"`, to),
  };
}

function valueOption(text: string, to: number, info?: string): Completion {
  return {
    label: text,
    displayLabel: text.replace(/^"(.*)"$/, '$1'),
    apply: replacing(text, to),
    ...omitUndefined({ info }),
  };
}

function itemOption([name, template, info]: (typeof ITEMS)[number], to: number): Completion {
  return { label: name, info, apply: replacing(template, to) };
}

/** Suggests the possible values of a claim as operands. */
function operandOptions(siblings: Siblings, claims: readonly CompletedClaim[], to: number): Completion[] {
  const claim = claims.find(({ path }) => path === siblings.get('claim'));
  const values: readonly unknown[] = claim?.type === 'boolean' ? [true, false] : (claim?.values ?? []);
  const isList = ['in', 'notIn'].includes(siblings.get('operator') ?? '');
  if (isList && values.length > 0) return [valueOption(JSON.stringify(values), to, claim?.description)];
  return values.map((value) => valueOption(JSON.stringify(value), to, claim?.description));
}

/** Returns a function that replaces the token being completed, including its closing quote. */
function replacing(text: string, to: number) {
  return (view: EditorView, completion: Completion, from: number) => {
    const { doc, selection } = view.state;
    const end = Math.min(Math.max(to, selection.main.head), doc.length);
    // `snippet` would leave the caret before a template without fields.
    if (text.includes('#{')) {
      snippet(text)(view, completion, from, end);
      return;
    }
    view.dispatch({
      changes: { from, to: end, insert: text },
      selection: { anchor: from + text.length },
      annotations: pickedCompletion.of(completion),
      userEvent: 'input.complete',
      scrollIntoView: true,
    });
  };
}

/** Returns the path of a node: member names and array indexes. */
function pathTo(state: EditorState, node: SyntaxNode): Path {
  const path: (string | number)[] = [];
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    const { parent } = at;
    if (at.name === 'Property') path.unshift(nameOf(state, at));
    else if (parent?.name === 'Array' && VALUES.includes(at.name)) path.unshift(indexIn(parent, at));
  }
  return path;
}

function indexIn(array: SyntaxNode, node: SyntaxNode): number {
  let index = 0;
  for (let entry = array.firstChild; entry !== null && entry.from < node.from; entry = entry.nextSibling) {
    if (VALUES.includes(entry.name)) index += 1;
  }
  return index;
}

/** Returns the members of an object by name: the text of each string, and `''` for any other value. */
function siblingsOf(state: EditorState, object: SyntaxNode | null | undefined): Siblings {
  const siblings = new Map<string, string>();
  for (const property of object?.getChildren('Property') ?? []) {
    const value = property.getChild('String');
    const text = value === null ? '' : state.sliceDoc(value.from + 1, value.to - 1);
    siblings.set(nameOf(state, property), text);
  }
  return siblings;
}

function nameOf(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild('PropertyName');
  return name === null ? '' : state.sliceDoc(name.from + 1, name.to - 1);
}

function nearest(node: SyntaxNode, names: readonly string[]): SyntaxNode | undefined {
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    if (names.includes(at.name)) return at;
  }
  return undefined;
}
