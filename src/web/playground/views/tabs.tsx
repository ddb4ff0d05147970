/** What one takes along: the answer, the same question by `curl` and in TypeScript, and the scopes that it needs. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** One tab and what it shows. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Made when it is shown: the others cost nothing while somebody types. */
  readonly content: () => ComponentChildren;
  /** What the copy button takes; there is none where it is absent. */
  readonly copied?: () => string;
}

/** Tabs by the pattern of the ARIA Authoring Practices: arrows move, the chosen one alone is in the order of Tab. */
export function Tabs({ tabs, label }: { readonly tabs: readonly Tab[]; readonly label: string }) {
  const [chosen, choose] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const tab = tabs[chosen] ?? tabs[0];
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextTab(event, chosen, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    const button = list.current?.children[next];
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <section class="card card-flush tabs" aria-label={label}>
      <div class="tabs-head">
        <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
          {tabs.map(({ id, title }, index) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`tab-${id}`}
              class="tab"
              aria-selected={index === chosen}
              aria-controls="tab-panel"
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => choose(index)}
            >
              {title}
            </button>
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled can be reached by keyboard */}
      <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab?.id}`} tabIndex={0}>
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

/** The tab that a key leads to; `undefined` where it leads to none. */
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
