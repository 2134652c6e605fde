/** The type of a function that receives notices of changes. */

/** Calls the listener for each payload on a channel, until the returned function is called. */
export type Listen = (channel: string, onPayload: (payload: string | undefined) => void) => () => void;
