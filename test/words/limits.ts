/** How many texts of each kind may break a rule of our style: lower a limit when you mend, and never raise it. */
export const LIMITS = { pages: 691, docstrings: 1_117, messages: 83, summaries: 19, help: 56 } as const;

/** The most words of all pages that are written by hand, without code and without the changelog. */
export const MOST_WORDS = 48_500;
