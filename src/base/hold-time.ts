/** The longest that an ALLOW can hold what it takes, in seconds: a week. */
export const MAX_HOLD_SECONDS = 604_800;
