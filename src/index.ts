/**
 * The package entry `proviso`: the query language and its evaluator. Loads no HTTP, SQL or cryptography.
 *
 * A program without patterns need not import `re2js`; a bundler then omits it.
 */
export * from './engine/index.js';
export { re2js } from './regex/re2js.js';
