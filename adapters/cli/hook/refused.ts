/** Refusals of the hook. Each blocks the call, with a message that says what to do. */

/** The error for a configuration or an event that cannot be used. The message contains no secret. */
export class HookRefusal extends Error {}

export function refusal(message: string): HookRefusal {
  return new HookRefusal(message);
}
