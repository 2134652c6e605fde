/** How many texts of each kind may break a rule of our style: lower a limit when you mend, and never raise it. */
export const LIMITS = {
  pages: 1,
  docstrings: 0,
  messages: 0,
  summaries: 0,
  help: 0,
  groups: 0,
  options: 0,
  endpoints: 0,
  descriptions: 0,
  elements: 0,
} as const;

/** The most words of the pages that are written by hand, without code, the changelog and generated tables. */
export const MOST_WORDS = 37_247;
