/** Marks and progress change on this screen and on others; a minute keeps page changes quiet. */
export const FRESH_MS = 60_000;
