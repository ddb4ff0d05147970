/** The port of the event loop: what many requests of one turn have in common is done once, behind them. */

/** Does a work when everything that is ready in this turn of the event loop has had its say. */
export type EndOfTurn = (work: () => void) => void;
