/** The type of a function that receives notices of changes. */

/**
 * Calls the listener for each payload on a channel. The returned function stops it. The payload `undefined` means that
 * notices may have been missed.
 */
export type Listen = (channel: string, onPayload: (payload: string | undefined) => void) => () => void;
