/** The base class of errors. */

/**
 * Base class of the errors with a code. Compare `code`, which is stable, not the message. For invalid arguments,
 * functions throw JavaScript's own `TypeError` or `RangeError` instead.
 */
export class ProvisoError<Code extends string = string> extends Error {
  override readonly name: string = 'ProvisoError';
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
