/** A migration, as text: the bundler inlines `.sql` files. */
declare module '*.sql' {
  const text: string;
  export default text;
}
