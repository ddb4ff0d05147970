/** The theme of the editor. It uses custom properties of the page, which the shadow root of the editor inherits. */
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Syntax highlighting of JSON. Tags without a style get no element. */
export const HIGHLIGHTING = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-plain)' },
]);

/** The theme. */
export const THEME = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--ink-quiet)',
    backgroundColor: 'transparent',
    fontSize: 'var(--text-small)',
  },
  '&.cm-focused': { outline: 'var(--ring)', outlineOffset: '-3px', borderRadius: 'var(--radius-small)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { paddingBlock: 'var(--space-3)', caretColor: 'var(--ink)' },
  '.cm-line': {
    paddingInline: 'calc(var(--space-2) + var(--wrap-indent)) var(--space-4)',
    textIndent: 'calc(-1 * var(--wrap-indent))',
  },
  '.cm-gutters': { backgroundColor: 'transparent', border: '0', color: 'var(--ink-quiet)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2rem' },
  '.cm-gutter-lint': { width: '1rem' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0.2rem 0' },
  '.cm-lint-marker': { width: '0.625rem', height: '0.625rem', borderRadius: '50%', content: 'none' },
  '.cm-lint-marker-error': { backgroundColor: 'var(--bad)' },
  '.cm-lint-marker-warning': { backgroundColor: 'var(--high)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': {
    backgroundColor: 'color-mix(in srgb, var(--surface-sunk) 60%, transparent)',
  },
  '.cm-content ::selection': { backgroundColor: 'var(--accent-soft)' },
  '.cm-matchingBracket': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad) 1.5px',
    textUnderlineOffset: '0.25em',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--high) 1.5px',
    textUnderlineOffset: '0.25em',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-small)',
    boxShadow: 'var(--shadow)',
    color: 'var(--ink)',
    maxWidth: 'min(26rem, 90vw)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': {
    borderInlineStart: '0',
    padding: 'var(--space-2) var(--space-3)',
    whiteSpace: 'pre-wrap',
  },
  // The description of a suggestion is shown beside the list.
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    borderRadius: 'inherit',
    fontFamily: 'var(--mono)',
    maxHeight: '14rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: 'var(--space-1) var(--space-3)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', marginInlineStart: '1rem' },
  '.cm-completionMatchedText': { fontWeight: '700', textDecoration: 'none' },
  '.cm-tooltip.cm-completionInfo': {
    fontFamily: 'var(--sans)',
    maxWidth: 'min(18rem, 60vw)',
    padding: 'var(--space-2) var(--space-3)',
  },
});
