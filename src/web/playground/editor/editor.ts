/**
 * The editor, loaded when the page already stands: CodeMirror in a shadow root, where it styles itself by constructed style sheets, which
 * the page's policy allows; in the document it would write a `style` element, which it does not (S64).
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { type Extension, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import type { Note } from '../model/ask.js';
import type { Span } from '../model/json-text.js';
import { createCompletions, type EditorHelp } from './completions.js';
import { COLOURS, LOOK } from './look.js';

/** How an editor begins. */
export interface EditorOptions {
  readonly label: string;
  readonly text: string;
  /** Told of what somebody types, and not of what the page itself puts there. */
  readonly onText: (text: string) => void;
  readonly help?: EditorHelp;
  /** Present where the keyboard was here already: it stays. */
  readonly selection?: Span;
}

/** An editor that stands in a page. */
export interface Editor {
  /** Puts a text there; undoing goes back to what stood there before. */
  setText(text: string): void;
  setNotes(notes: readonly Note[]): void;
  select(span: Span): void;
  destroy(): void;
}

/** @param host - An element that takes a shadow root, and has none yet or an empty one. */
export function createEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  let isOurs = false;
  let hasNotes = false;
  const view = new EditorView({
    root,
    parent: root,
    doc: options.text,
    extensions: [
      extensionsFor(options),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !isOurs) options.onText(update.state.doc.toString());
      }),
    ],
  });
  const select = ({ from, to }: Span): void => {
    const end = view.state.doc.length;
    view.dispatch({
      selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
      scrollIntoView: true,
    });
    view.focus();
  };
  if (options.selection !== undefined) {
    const { selection } = options;
    // The host is hidden until the page has drawn it, and what is hidden takes no focus.
    requestAnimationFrame(() => select(selection));
  }
  return {
    setText: (text) => {
      if (view.state.doc.toString() === text) return;
      isOurs = true;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
      });
      isOurs = false;
    },
    setNotes: (notes) => {
      // Most key strokes change nothing here, and are not held up.
      if (!hasNotes && notes.length === 0) return;
      hasNotes = notes.length > 0;
      view.dispatch(setDiagnostics(view.state, toDiagnostics(notes, view.state.doc.length)));
    },
    select,
    destroy: () => view.destroy(),
  };
}

function extensionsFor({ label, help }: EditorOptions): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    EditorView.lineWrapping,
    indentUnit.of('  '),
    json(),
    syntaxHighlighting(COLOURS),
    autocompletion({
      icons: false,
      ...(help === undefined ? { activateOnTyping: false } : { override: [createCompletions(help)] }),
    }),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    EditorView.contentAttributes.of({
      'aria-label': label,
      // It can be reached without, but not every program that checks pages knows that.
      tabindex: '0',
      spellcheck: 'false',
      autocapitalize: 'off',
      autocorrect: 'off',
    }),
    EditorView.domEventHandlers({ beforeinput: replaceOurselves }),
    Prec.highest(LOOK),
  ];
}

/**
 * Types over a selection by the editor's own hand. Chromium, left to itself, would keep the looks of what was there by writing a `style`
 * attribute, which the page's policy refuses.
 */
function replaceOurselves(event: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main;
  const { data } = event;
  if (event.inputType !== 'insertText' || data === null || empty || view.composing) return false;
  event.preventDefault();
  const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' });
  const isTaken = view.state
    .facet(EditorView.inputHandler)
    .some((handler) => handler(view, from, to, data, insert));
  if (!isTaken) view.dispatch(insert());
  return true;
}

/** Notes are about a text that may be a key stroke older than what stands here. */
function toDiagnostics(notes: readonly Note[], length: number): Diagnostic[] {
  return notes.map(({ span, message, severity }) => ({
    from: Math.min(span.from, length),
    to: Math.min(span.to, length),
    message,
    severity,
  }));
}
