/** How many texts of each kind may break a rule of our style: lower a limit when you mend, and never raise it. */
export const LIMITS = { pages: 12, docstrings: 8, messages: 4, summaries: 1, help: 0 } as const;

/** The most words of the pages that are written by hand, without code, the changelog and generated tables. */
export const MOST_WORDS = 39_860;
