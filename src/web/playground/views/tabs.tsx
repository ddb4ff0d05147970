/** A tab list with panels. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** A tab. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Renders the tab; called when it is shown. */
  readonly content: () => ComponentChildren;
  /** Returns the text that the copy button copies. Default: no button. */
  readonly copied?: () => string;
}

interface TabsProps {
  /** The prefix of the ids of the tabs. */
  readonly id: string;
  readonly tabs: readonly Tab[];
  readonly label: string;
  /** Whether the panel is as high as its content. Default: a fixed height. */
  readonly grows?: boolean;
}

/** Tabs as in the ARIA Authoring Practices: arrow keys move between tabs, and only the selected one is in the tab order. */
export function Tabs({ id: prefix, tabs, label, grows = false }: TabsProps) {
  const [chosenId, choose] = useState<string | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  // By id, since a policy and a projection have different tabs. Without the chosen tab, the first one is selected.
  const chosen = Math.max(
    0,
    tabs.findIndex(({ id }) => id === chosenId),
  );
  const tab = tabs[chosen];
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextTab(event, chosen, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    choose(tabs[next]?.id);
    const button = list.current?.children[next];
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <section class={`card card-flush ${grows ? 'tabs-growing' : 'tabs'}`} aria-label={label}>
      <div class="tabs-head">
        <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
          {tabs.map(({ id, title }, index) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`${prefix}-tab-${id}`}
              class="tab"
              aria-selected={index === chosen}
              aria-controls={`${prefix}-panel`}
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => choose(id)}
            >
              {title}
            </button>
          ))}
        </div>
      </div>
      <div
        class="tab-panel"
        id={`${prefix}-panel`}
        role="tabpanel"
        aria-labelledby={`${prefix}-tab-${tab?.id}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable by keyboard
        tabIndex={0}
      >
        {tab?.copied === undefined ? undefined : <CopyButton text={tab.copied} key={tab.id} />}
        {tab?.content()}
      </div>
    </section>
  );
}

function CopyButton({ text }: { readonly text: () => string }) {
  const [message, setMessage] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setMessage('Copied');
    } catch {
      setMessage('Select it and copy');
    }
  };
  return (
    <button type="button" class="button button-quiet button-small copy" onClick={copy}>
      <span aria-live="polite">{message === '' ? 'Copy' : message}</span>
    </button>
  );
}

/** Returns the index of the tab that a key selects; `undefined` for other keys. */
function nextTab({ key, currentTarget }: KeyboardEvent, chosen: number, count: number): number | undefined {
  const isMirrored =
    currentTarget instanceof HTMLElement && getComputedStyle(currentTarget).direction === 'rtl';
  switch (key) {
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'ArrowRight':
    case 'ArrowLeft': {
      const step = (key === 'ArrowRight') === isMirrored ? -1 : 1;
      return (chosen + step + count) % count;
    }
    default:
      return undefined;
  }
}
