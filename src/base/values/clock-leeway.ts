/** The accepted difference between the clocks of two machines, in seconds. */
export const CLOCK_LEEWAY_SECONDS = 5;
