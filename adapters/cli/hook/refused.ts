/** Refusals of the hook: each blocks the call, with a message that says what to do. */

/** A configuration or an event that cannot be used. The message has no secret. */
export class HookRefusal extends Error {}

export function refusal(message: string): HookRefusal {
  return new HookRefusal(message);
}
