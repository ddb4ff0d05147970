/** Shows a query in words, as on a consent page, in a language to choose. */
import { useEffect, useState } from 'preact/hooks';
import type { DescribedItem } from '../../../describe/index.js';
import type { ServiceCatalogue } from '../../../service/catalogue/service-catalogue.js';

interface DescribedProps {
  readonly query: unknown;
  readonly catalogue: ServiceCatalogue;
}

type Describe = typeof import('../../../describe/index.js');

/** Shows what the recipient of the result learns, and what it does not. The messages of all languages are loaded when this is first shown. */
export function Described({ query, catalogue }: DescribedProps) {
  const [describe, setDescribe] = useState<Describe | undefined>(undefined);
  const [chosen, setLocale] = useState<string | undefined>(undefined);
  useEffect(() => {
    import('../../../describe/index.js').then((loaded) => setDescribe(() => loaded));
  }, []);
  if (describe === undefined) return <p class="quiet">Loading</p>;
  const languages = Object.keys(describe.MESSAGES);
  const locale = chosen ?? preferredLanguage(languages);
  const { learned, notLearnedText, direction } = describe.describeQuery(query, {
    catalogue: catalogue.definition,
    locale,
  });
  return (
    <div class="stack">
      <label class="field">
        <span>Language</span>
        <select value={locale} onChange={({ currentTarget }) => setLocale(currentTarget.value)}>
          {languages.map((language) => (
            <option key={language} value={language} lang={language}>
              {new Intl.DisplayNames(language, { type: 'language' }).of(language)}
            </option>
          ))}
        </select>
      </label>
      <div class="stack" lang={locale} dir={direction}>
        <p>{learned.text}</p>
        <Items items={learned.items} />
        {notLearnedText === '' ? undefined : <p class="quiet">{notLearnedText}</p>}
      </div>
    </div>
  );
}

function Items({ items }: { readonly items: readonly DescribedItem[] }) {
  if (items.length === 0) return undefined;
  return (
    <ul>
      {items.map(({ text, pointer, items: inner }) => (
        <li key={pointer}>
          {text}
          <Items items={inner} />
        </li>
      ))}
    </ul>
  );
}

/** Returns the browser's first language for which there are messages; `en` if there is none. */
function preferredLanguage(languages: readonly string[]): string {
  const preferred = navigator.languages.map((tag) => new Intl.Locale(tag).language);
  return preferred.find((language) => languages.includes(language)) ?? 'en';
}
