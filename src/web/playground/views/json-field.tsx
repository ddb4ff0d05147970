/**
 * A field for JSON: a plain text area at once, and an editor with completion in its place as soon as that has come. Both stand in the
 * same box, so nothing moves.
 */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { omitUndefined } from '../../../util/omit-undefined.js';
import type { EditorHelp } from '../editor/completions.js';
import type { Editor } from '../editor/editor.js';
import type { Note } from '../model/evaluate.js';
import type { Span } from '../model/json-text.js';

/** What others may do with a field. */
export interface FieldHandle {
  /** Puts the caret to a place, and the keyboard with it. */
  select(span: Span): void;
}

interface JsonFieldProps {
  /** What it is for, to who does not see what stands around it. */
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly notes: readonly Note[];
  /** What the editor can suggest. */
  readonly help?: EditorHelp;
  readonly handle?: { current: FieldHandle | undefined };
}

/** The field. */
export function JsonField({ label, text, onText, notes, help, handle }: JsonFieldProps) {
  const host = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  // What the editor calls is what was handed in last, and it is made of what stands there when it comes.
  const latest = useRef({ text, onText });
  latest.current = { text, onText };
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
        ...omitUndefined({ help }),
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

  // Before the next frame is drawn: marks move with the text.
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

/** Once what stands here has been drawn. Where it cannot be had, what stands here does. */
function afterPaint(load: () => Promise<void>): void {
  requestAnimationFrame(() => setTimeout(() => load().catch(() => undefined), 0));
}
