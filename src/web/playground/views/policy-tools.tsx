/** The buttons of the policy: format, open, save, share. */
import { useState } from 'preact/hooks';
import { openFile, saveFile, type UserFile } from '../model/files.js';
import { formatJson } from '../model/format-json.js';
import { type SharedState, toFittingFragment } from '../model/share-link.js';

interface PolicyToolsProps {
  readonly state: SharedState;
  /** The opened or saved file, if any. */
  readonly file: UserFile | undefined;
  readonly onText: (text: string) => void;
  /** Called with the file that was opened or saved. */
  readonly onFile: (file: UserFile) => void;
  /** Called to put a share link into the address. */
  readonly onLink: (fragment: string) => void;
}

const NEW_FILE: UserFile = { name: 'policy.json' };

/** The buttons, and the outcome of the last action. */
export function PolicyTools({ state, file, onText, onFile, onLink }: PolicyToolsProps) {
  const [message, setMessage] = useState('');
  const format = () => {
    const formatted = formatJson(state.query);
    setMessage(formatted === undefined ? 'Fix the problems first' : 'Formatted');
    if (formatted !== undefined) onText(formatted);
  };
  const open = async () => {
    const opened = await openFile();
    if (opened === undefined) return;
    const { text, ...rest } = opened;
    onFile(rest);
    onText(text);
    setMessage(`Opened ${opened.name}`);
  };
  const save = async () => {
    const saved = await saveFile(state.query, file ?? NEW_FILE);
    if (saved === undefined) return;
    onFile(saved);
    setMessage(`Saved ${saved.name}`);
  };
  const share = async () => setMessage(await shareLink(state, onLink));
  const reporting = (action: () => Promise<void>) => () =>
    action().catch((error: unknown) => setMessage(error instanceof Error ? error.message : String(error)));
  return (
    <span class="tools">
      <span class="quiet small tools-message" role="status">
        {message}
      </span>
      <button type="button" class="button button-small" onClick={format}>
        Format
      </button>
      <button type="button" class="button button-small" onClick={reporting(open)}>
        Open
      </button>
      <button type="button" class="button button-small" onClick={reporting(save)}>
        Save
      </button>
      <button type="button" class="button button-small" onClick={reporting(share)}>
        Share
      </button>
    </span>
  );
}

/** Puts the state into the address, and copies the address. Returns a message about the outcome. */
async function shareLink(state: SharedState, onLink: PolicyToolsProps['onLink']): Promise<string> {
  const fitting = toFittingFragment(state);
  if (fitting === undefined) return 'Too long for a link';
  onLink(fitting.fragment);
  const omission = fitting.withoutCatalogue ? ', without the catalogue, which is too large for a link' : '';
  try {
    await navigator.clipboard.writeText(location.href);
    return `Link copied${omission}`;
  } catch {
    return `The link is in the address bar${omission}`;
  }
}
