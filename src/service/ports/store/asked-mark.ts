/** That a store was asked what it holds now, as the store itself marks it; it says nothing to anybody else. */
export type AskedMark = object;
