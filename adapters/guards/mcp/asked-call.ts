/** Handles a call that may continue after a person has approved it. */
import { IdentityError, type ToolCall, type ToolGuard, type ToolRun } from '../../../src/guard/index.ts';
import { type AskedParams, type Elicitations, waitForPerson } from './elicitation.ts';

/**
 * Evaluates a call. A repeated call waits until the approver has decided, and is evaluated again.
 *
 * @throws {IdentityError} `invalid_request` if the `requestState` from the client belongs to another call.
 */
export async function beginAsked(
  guard: ToolGuard,
  call: ToolCall,
  state: AskedParams['state'],
): Promise<ToolRun> {
  if (state === 'invalid')
    throw new IdentityError('invalid_request', 'The requestState belongs to another call. Omit it.');
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

/** A call that does not run. */
export interface RefusedCall {
  readonly id: unknown;
  readonly asked: AskedParams;
  readonly elicitations: Elicitations;
  /** Sends a message to the client. */
  readonly answer: (message: object) => unknown;
  /** Says whether the session is open. */
  readonly isOpen: () => boolean;
  /** Creates the answer to a denied call. */
  readonly denial: (error: IdentityError) => object;
}

/**
 * Answers a call that does not run, with a question to a person or with the denial. A cancelled call gets no answer.
 * Never rejects, except with the error of `answer`.
 */
export async function answerRefused(error: unknown, call: RefusedCall): Promise<void> {
  const { id, asked, elicitations, answer, isOpen, denial } = call;
  if (!(error instanceof IdentityError)) return;
  if (error.code === 'invalid_request') await answer(invalidState(id));
  if (error.code !== 'tool_denied') return;
  const canAsk = asked.state !== 'declined';
  const question = canAsk ? await elicitations.question(id, asked.params, error) : undefined;
  await answer(question ?? denial(error));
  if (question !== undefined && 'error' in question) elicitations.notice(error, answer, isOpen);
}

function invalidState(id: unknown): object {
  const error = {
    code: -32_602,
    message: 'The requestState belongs to another call. Omit it.',
  };
  return { jsonrpc: '2.0', id, error };
}

function declined(): IdentityError {
  const reasons = [{ code: 'approval_declined', message: 'The person has closed the page.' }];
  const message = 'DENY: The person has closed the page. (approval_declined) The tool was not run.';
  return new IdentityError('tool_denied', message, { details: { record: null, reasons } });
}
