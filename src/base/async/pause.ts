/** Recognizes signals with which a framework stops a tool in order to call the tool again. */

/**
 * Says which calls continue a run whose tool was stopped.
 *
 * - `same call`: calls with the same `id`.
 * - `any call`: calls with any `id`.
 * - `resumed call`: calls with the same `id` that the framework marks as continued.
 */
export type Pause = 'same call' | 'any call' | 'resumed call';

/**
 * Says which calls continue a run after its tool has thrown `error`. Returns `undefined` for an ordinary error, which
 * ends the run. Never throws.
 */
export function pauseOf(error: unknown): Pause | undefined {
  try {
    const { is_bubble_up, name, code } = Object(error) as Readonly<Record<string, unknown>>;
    // LangGraph calls the tool again under the same id. A command to a parent graph ends the tool.
    if (is_bubble_up === true && name !== 'ParentCommand') return 'same call';
    // MCP: a person must open an address, and then the client sends the call again.
    return code === URL_ELICITATION_REQUIRED ? 'any call' : undefined;
  } catch {
    return undefined;
  }
}

const URL_ELICITATION_REQUIRED = -32_042;
