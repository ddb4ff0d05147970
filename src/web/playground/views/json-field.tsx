/**
 * A field for JSON: a plain text area first, replaced by an editor with completion once it is loaded. Both have the same box, so the layout
 * does not shift.
 */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Span } from '../../../util/json-text.js';
import type { EditorHelp } from '../editor/completions.js';
import type { Editor } from '../editor/editor.js';
import type { Note } from '../model/evaluate.js';

/** The handle of a field. */
export interface FieldHandle {
  /** Selects a span and focuses the field. */
  select(span: Span): void;
}

interface JsonFieldProps {
  /** Accessible name. */
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly notes: readonly Note[];
  /** The sources of completions. Must not change between present and absent. */
  readonly help?: EditorHelp;
  readonly handle?: { current: FieldHandle | undefined };
}

/** The field. */
export function JsonField({ label, text, onText, notes, help, handle }: JsonFieldProps) {
  const host = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  // The latest props, for the editor, which is created asynchronously.
  const latest = useRef({ text, onText, help });
  latest.current = { text, onText, help };
  const [isReady, setReady] = useState(false);

  useEffect(() => {
    const ending = new AbortController();
    afterPaint(async () => {
      const { createEditor } = await import('../editor/editor.js');
      if (ending.signal.aborted || host.current === null) return;
      editor.current = createEditor(host.current, {
        label,
        text: latest.current.text,
        onText: (typed) => latest.current.onText(typed),
        ...(help === undefined ? {} : { help: () => latest.current.help ?? help }),
        ...(area.current !== null && area.current === document.activeElement
          ? { selection: selectionOf(area.current) }
          : {}),
      });
      setReady(true);
    });
    return () => {
      ending.abort();
      editor.current?.destroy();
    };
  }, []);

  // Before the next paint, so that diagnostics stay with the text.
  useLayoutEffect(() => {
    editor.current?.setText(text);
    editor.current?.setNotes(notes);
  }, [text, notes, isReady]);

  if (handle !== undefined) {
    handle.current = {
      select: (span) => {
        if (editor.current !== undefined) editor.current.select(span);
        else {
          area.current?.focus();
          area.current?.setSelectionRange(span.from, span.to);
        }
      },
    };
  }

  return (
    <div class="json-field" dir="ltr">
      {isReady ? undefined : (
        <textarea
          class="json-area"
          ref={area}
          aria-label={label}
          value={text}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
      <div class="json-editor" ref={host} hidden={!isReady} />
    </div>
  );
}

function selectionOf({ selectionStart, selectionEnd }: HTMLTextAreaElement): Span {
  return { from: selectionStart, to: selectionEnd };
}

/** Runs a function after the next paint. If it fails to load the editor, the text area stays. */
function afterPaint(load: () => Promise<void>): void {
  requestAnimationFrame(() => setTimeout(() => load().catch(() => undefined), 0));
}
