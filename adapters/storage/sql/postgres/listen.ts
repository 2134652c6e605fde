/** How a node hears of changes. */

/** Hears what is sent on a channel, until the function it gives back is called. */
export type Listen = (channel: string, hear: (payload: string | undefined) => void) => () => void;
