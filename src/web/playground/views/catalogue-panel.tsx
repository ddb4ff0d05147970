/** The catalogue of claims and scopes: the default catalogue, or the user's own. */
import { useState } from 'preact/hooks';
import { EXAMPLE_CATALOGUE } from '../model/catalogue.js';
import type { Note } from '../model/evaluate.js';
import { openFile } from '../model/files.js';
import { JsonField } from './json-field.js';
import { counted, Message } from './parts.js';

interface CataloguePanelProps {
  /** The user's own catalogue; `undefined` for the default catalogue. */
  readonly text: string | undefined;
  readonly notes: readonly Note[];
  /** The numbers of claims and scopes of the catalogue in use. */
  readonly counts: { readonly claims: number; readonly scopes: number };
  readonly onText: (text: string | undefined) => void;
}

/** The catalogue and its problems. */
export function CataloguePanel({ text, notes, counts, onText }: CataloguePanelProps) {
  const [message, setMessage] = useState('');
  const open = () =>
    openFile()
      .then((file) => {
        if (file === undefined) return;
        onText(file.text);
        setMessage(`Opened ${file.name}`);
      })
      .catch((error: unknown) => setMessage(error instanceof Error ? error.message : String(error)));
  return (
    <div class="stack">
      <p class="quiet">
        {text === undefined
          ? 'The default catalogue defines the claims and scopes. Open a catalogue of your own, in the format of the service, or paste one.'
          : 'Your catalogue defines the claims and scopes: suggestions, warnings, examples and people follow it. It is stored only in this browser; a share link contains it.'}
      </p>
      <p class="row wrap">
        <button type="button" class="button button-small" onClick={open}>
          Open a catalogue
        </button>
        {text === undefined ? (
          <button type="button" class="button button-small" onClick={() => onText(EXAMPLE_CATALOGUE)}>
            Start with an example
          </button>
        ) : (
          <button type="button" class="button button-small" onClick={() => onText(undefined)}>
            Use the default catalogue
          </button>
        )}
        <span class="quiet small" role="status">
          {message}
        </span>
      </p>
      {text === undefined ? undefined : (
        <>
          <div class="own-field">
            <JsonField label="Catalogue, as JSON" text={text} onText={onText} notes={notes} />
          </div>
          {notes.length === 0 ? (
            <p class="quiet small">
              {counted(counts.claims, 'claim')}, {counted(counts.scopes, 'scope')}.
            </p>
          ) : (
            <p class="own-problem" role="alert">
              The catalogue is not valid yet: <Message text={notes[0]?.message ?? ''} />
              {notes.length > 1 ? ` And ${counted(notes.length - 1, 'problem')} more.` : ''}
            </p>
          )}
        </>
      )}
    </div>
  );
}
