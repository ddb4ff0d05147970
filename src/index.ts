/**
 * The package entry `proviso`: the query language and its evaluator. Loads no HTTP, SQL or cryptography.
 *
 * Programs that do not match patterns do not import `re2js`, and their bundles do not contain it.
 */
export * from './engine/index.js';
export { re2js } from './regex/re2js.js';
