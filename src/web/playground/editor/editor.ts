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
import { type Diagnostic, forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { type EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers, tooltips } from '@codemirror/view';
import type { Note } from '../model/evaluate.js';
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
  const { frame, floating } = createFrames(root);
  let isProgrammatic = false;
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
    // The host is hidden until the page has drawn it, and what is hidden takes no focus.
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
      // Marks move with the text by themselves: most key strokes change nothing here, and are not held up.
      if (hasDiagnostics(diagnostics, view.state)) return;
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
 * A frame for the text, as large as the host whatever stands in it: what one types lays out nothing around it anew. What floats over the
 * page stands beside, where nothing cuts it off.
 */
function createFrames(root: ShadowRoot): { readonly frame: HTMLElement; readonly floating: HTMLElement } {
  const frame = document.createElement('div');
  frame.style.blockSize = '100%';
  frame.style.contain = 'strict';
  const floating = document.createElement('div');
  // Without this it would be as high as an editor, and lie over what is below.
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
    EditorView.domEventHandlers({ beforeinput: handleTyping }),
    Prec.highest(LOOK),
  ];
}

/**
 * Types by the editor's own hand. Chromium, left to itself, would change the page first and have the editor read what it did, which is the
 * longer way; over a selection it would keep the looks of what was there by writing a `style` attribute, which the page's policy refuses.
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

/** Notes are about a text that may be a key stroke older than what stands here. */
function toDiagnostics(notes: readonly Note[], length: number): Diagnostic[] {
  return notes.map(({ span, message, severity }) => ({
    from: Math.min(span.from, length),
    to: Math.min(span.to, length),
    message,
    severity,
  }));
}

/** Whether these very marks stand in the text, each at its place. */
function hasDiagnostics(diagnostics: readonly Diagnostic[], state: EditorState): boolean {
  const there: string[] = [];
  forEachDiagnostic(state, ({ severity, message }, from, to) =>
    there.push(diagnosticKey({ severity, message, from, to })),
  );
  const wanted = diagnostics.map(diagnosticKey);
  there.sort();
  wanted.sort();
  return wanted.length === there.length && wanted.every((one, place) => one === there[place]);
}

function diagnosticKey({ from, to, severity, message }: Diagnostic): string {
  return `${from} ${to} ${severity} ${message}`;
}
