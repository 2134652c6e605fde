/** The longest time that an ALLOW can hold an amount, in seconds: a week. */
export const MAX_HOLD_SECONDS = 604_800;
