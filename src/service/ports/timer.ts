/** The port of the timer: the service waits for nothing by itself. */

export interface Timer {
  /**
   * Does a work once, after at least so long; waiting for it keeps no process alive.
   *
   * @returns What calls it off.
   */
  after(ms: number, work: () => void): () => void;
}
