/**
 * The package entry `proviso/describe`: queries and failing checks in sentences for people, in several languages.
 *
 * Pure: needs no clock and no store.
 */
export { type DescribeFailuresOptions, describeFailures } from './describe-failures.js';
export {
  type DescribedItem,
  type DescribeQueryOptions,
  describeFacts,
  describeQuery,
  type FactsDescription,
  type NotLearnedClaim,
  type QueryDescription,
} from './describe-query.js';
export { type LanguageOptions, MESSAGES } from './language.js';
export { type ClaimMessages, type Messages, PHRASE_NAMES, type PhraseName } from './messages.js';
export type { Direction } from './quote.js';
export { renderDescription } from './render-description.js';
