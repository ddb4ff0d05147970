/** Units of time, and the length of a date. */

export const MS_PER_SECOND = 1_000;
export const MS_PER_MINUTE = 60_000;
export const MS_PER_DAY = 86_400_000;
export const SECONDS_PER_DAY = 86_400;

/** The length of a date, such as the date at the start of a date-time. */
export const DATE_LENGTH = 'YYYY-MM-DD'.length;
