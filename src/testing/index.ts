/** What checks an implementation of the language: vectors, and what reads and runs them. */
export * from './read-vectors.js';
export * from './vector.js';
