/** The end of a turn of Node's event loop. */
import type { EndOfTurn } from '../service/index.js';

export const systemEndOfTurn: EndOfTurn = (work) => void setImmediate(work);
