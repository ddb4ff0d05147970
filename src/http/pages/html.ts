/** HTML as text, where everything that comes from outside is escaped (S63). */

/** Markup that is safe to send; made by {@link html} only. */
export interface Html {
  readonly markup: string;
}

/** A template whose values are escaped, unless they are markup themselves. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const markup = parts.map((part, index) => part + written(values[index] ?? '')).join('');
  return { markup };
}

function written(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeText(value);
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
