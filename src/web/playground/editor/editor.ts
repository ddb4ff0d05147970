/**
 * The editor, loaded after the first paint: CodeMirror in a shadow root. There it uses constructed style sheets, which the page's content
 * security policy allows. Outside of a shadow root it would insert a `style` element, which the policy forbids (S64).
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
import { type Diagnostic, forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { type EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers, tooltips } from '@codemirror/view';
import type { Span } from '../../../util/json-text.js';
import type { Note } from '../model/evaluate.js';
import { createCompletions, type EditorHelp } from './completions.js';
import { HIGHLIGHTING, THEME } from './theme.js';

/** Options of an editor. */
export interface EditorOptions {
  readonly label: string;
  readonly text: string;
  /** Called when the user changes the text, but not for `setText`. */
  readonly onText: (text: string) => void;
  /** Returns the sources of completions, whenever they are needed. */
  readonly help?: () => EditorHelp;
  /** Set to focus the editor with this selection. */
  readonly selection?: Span;
}

/** An editor. */
export interface Editor {
  /** Replaces the text; can be undone. */
  setText(text: string): void;
  setNotes(notes: readonly Note[]): void;
  select(span: Span): void;
  destroy(): void;
}

/** Creates an editor. @param host - An element that supports a shadow root, without one or with an empty one. */
export function createEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const { frame, floating } = createFrames(root);
  let isProgrammatic = false;
  let lastSetCount = 0;
  const view = new EditorView({
    root,
    parent: frame,
    doc: options.text,
    extensions: [
      extensionsFor(options),
      tooltips({ parent: floating }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !isProgrammatic) options.onText(update.state.doc.toString());
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
    // The host is hidden until the next frame, and hidden elements cannot be focused.
    requestAnimationFrame(() => select(selection));
  }
  return {
    setText: (text) => {
      if (view.state.doc.toString() === text) return;
      isProgrammatic = true;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
      });
      isProgrammatic = false;
    },
    setNotes: (notes) => {
      const diagnostics = toDiagnostics(notes, view.state.doc.length);
      // Notes that are shown already are skipped: most key strokes do not change them. The count is compared too: a replacement of
      // the text removes diagnostics but not their marks in the gutter, so setting an empty list must still be dispatched.
      if (diagnostics.length === lastSetCount && hasDiagnostics(diagnostics, view.state)) return;
      lastSetCount = diagnostics.length;
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    select,
    destroy: () => {
      view.destroy();
      root.replaceChildren();
    },
  };
}

/**
 * Creates a frame for the text with the size of the host, so that typing does not trigger layout outside, and a container for tooltips, which
 * the frame would clip.
 */
function createFrames(root: ShadowRoot): { readonly frame: HTMLElement; readonly floating: HTMLElement } {
  const frame = document.createElement('div');
  frame.style.blockSize = '100%';
  frame.style.contain = 'strict';
  const floating = document.createElement('div');
  // Otherwise this element would be as high as the editor and cover the elements below.
  floating.style.blockSize = '0';
  root.replaceChildren(frame, floating);
  return { frame, floating };
}

function extensionsFor({ label, help }: EditorOptions): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    EditorView.lineWrapping,
    indentUnit.of('  '),
    json(),
    syntaxHighlighting(HIGHLIGHTING),
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
      // Not needed for focus, but some accessibility checkers expect it.
      tabindex: '0',
      spellcheck: 'false',
      autocapitalize: 'off',
      autocorrect: 'off',
    }),
    EditorView.domEventHandlers({ beforeinput: handleTyping }),
    Prec.highest(THEME),
  ];
}

/**
 * Inserts typed text through the editor. Otherwise Chromium changes the DOM first, which is slower, and when replacing a selection it
 * preserves the style with a `style` attribute, which the content security policy forbids.
 */
function handleTyping(event: InputEvent, view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const { data } = event;
  if (event.inputType !== 'insertText' || data === null || !event.cancelable || view.composing) return false;
  event.preventDefault();
  const insert = () =>
    view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  const isTaken = view.state
    .facet(EditorView.inputHandler)
    .some((handler) => handler(view, from, to, data, insert));
  if (!isTaken) view.dispatch(insert());
  return true;
}

/** Converts notes to diagnostics. Clamps their spans, since the text may have changed in the meantime. */
function toDiagnostics(notes: readonly Note[], length: number): Diagnostic[] {
  return notes.map(({ span, message, severity }) => ({
    from: Math.min(span.from, length),
    to: Math.min(span.to, length),
    message,
    severity,
  }));
}

/** Whether the editor shows exactly these diagnostics. */
function hasDiagnostics(diagnostics: readonly Diagnostic[], state: EditorState): boolean {
  const shownKeys: string[] = [];
  forEachDiagnostic(state, ({ severity, message }, from, to) =>
    shownKeys.push(diagnosticKey({ severity, message, from, to })),
  );
  const expectedKeys = diagnostics.map(diagnosticKey);
  shownKeys.sort();
  expectedKeys.sort();
  return (
    expectedKeys.length === shownKeys.length && expectedKeys.every((one, place) => one === shownKeys[place])
  );
}

function diagnosticKey({ from, to, severity, message }: Diagnostic): string {
  return `${from} ${to} ${severity} ${message}`;
}
