/** Files that the bundler inlines as text: what a reviewer reads is what is sent. */

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

/** A script for browsers, as it stands. */
declare module '*.browser.js' {
  const text: string;
  export default text;
}

/** A drawing. */
declare module '*.svg' {
  const text: string;
  export default text;
}
