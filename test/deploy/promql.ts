/** Finds the metrics and labels that a PromQL expression refers to. */

/** A metric in an expression, with the labels of its matchers. */
export interface Selector {
  readonly name: string;
  /** The matchers, such as `status=~"5.."`. */
  readonly matchers: readonly { readonly label: string; readonly value: string }[];
}

export interface Expression {
  readonly selectors: readonly Selector[];
  /** The labels outside of matchers: of groupings, of vector matching, and of `label_values`. */
  readonly labels: readonly string[];
}

const RANGE = /\[[^\]]*\]/g;
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
/** The second argument of Grafana's `label_values` is a label. */
const LABEL_VALUES = /^label_values\((.*),\s*(\w+)\)$/;
/** A name that is not that of a function (no parenthesis follows), with its matchers. */
const SELECTOR = /(?<![\w:.])([a-zA-Z_:][\w:]*)\b(?!\s*\()\s*(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)\s*(?:=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g;
const KEYWORDS = ['and', 'or', 'unless', 'bool', 'offset'];

export function parseExpression(text: string): Expression {
  const [, inner = text, label] = LABEL_VALUES.exec(text) ?? [];
  const grouping = [...inner.matchAll(GROUPING)].flatMap(([, labels = '']) => labels.split(/\s*,\s*/));
  const bare = inner.replace(RANGE, '').replace(GROUPING, '');
  const selectors = [...bare.matchAll(SELECTOR)]
    .filter(([, name = '']) => !KEYWORDS.includes(name))
    .map(([, name = '', matchers = '']) => ({
      name,
      matchers: [...matchers.matchAll(MATCHER)].map(([, label = '', value = '']) => ({ label, value })),
    }));
  return { selectors, labels: label === undefined ? grouping : [...grouping, label] };
}

/** Returns the metric of each series in the Prometheus text format, by the name of the series. */
export function exposedSeries(text: string): ReadonlyMap<string, string> {
  const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)];
  return new Map(
    types.flatMap(([, name = '', type]) => {
      const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      return suffixes.map((suffix): [string, string] => [`${name}${suffix}`, name]);
    }),
  );
}
