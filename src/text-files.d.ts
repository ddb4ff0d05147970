/** Files that the bundler inlines as text. Only SQL is changed: its comments are removed. */

/** A migration. */
declare module '*.sql' {
  const text: string;
  export default text;
}

/** A stylesheet. */
declare module '*.css' {
  const text: string;
  export default text;
}

/** A script for browsers. */
declare module '*.browser.js' {
  const text: string;
  export default text;
}

/** An image. */
declare module '*.svg' {
  const text: string;
  export default text;
}
