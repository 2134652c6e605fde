/** A call that may continue after a person has decided. */
import { IdentityError, type ToolCall, type ToolGuard, type ToolRun } from '../../../src/guard/index.ts';
import { type AskedParams, waitForPerson } from './elicitation.ts';

/**
 * Judges a call. A repeated call waits for the person whom its own verdict names, and is judged again. Throws
 * `invalid_request` for a state of another call.
 */
export async function beginAsked(
  guard: ToolGuard,
  call: ToolCall,
  state: AskedParams['state'],
): Promise<ToolRun> {
  if (state === 'invalid') throw new IdentityError('invalid_request', 'The state is not that of this call.');
  if (state === 'declined') throw declined();
  try {
    return await guard.begin(call);
  } catch (error) {
    if (state !== 'continued' || !(error instanceof IdentityError) || error.code !== 'tool_denied')
      throw error;
    await waitForPerson(guard, error, call.signal ?? new AbortController().signal);
    return guard.begin(call);
  }
}

/** Makes the answer to a call with a state of another call. */
export function invalidState(id: unknown): object {
  const error = { code: -32_602, message: 'The requestState is not that of this call.' };
  return { jsonrpc: '2.0', id, error };
}

function declined(): IdentityError {
  const reasons = [{ code: 'approval_declined', message: 'The person has closed the page.' }];
  const message = 'DENY: The person has closed the page. (approval_declined) The tool was not run.';
  return new IdentityError('tool_denied', message, { details: { record: null, reasons } });
}
