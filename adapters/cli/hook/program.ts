/** The module that `dist/hook.cjs` loads. It evaluates events in the hook process if no resident process runs. */
import { blocked, type EventInput, evaluateEvent } from './evaluate-event.ts';
import { createSession } from './session.ts';
import type { HookAnswer } from './wire.ts';

export interface EvaluateModule {
  readonly evaluateHere: typeof evaluateHere;
}

/** Evaluates one event in this process. Never rejects. */
export async function evaluateHere(input: EventInput): Promise<HookAnswer> {
  const session = createSession({ isResident: false });
  try {
    return await evaluateEvent(session, input);
  } catch (error) {
    return blocked(error);
  } finally {
    await session.close().catch(() => undefined);
  }
}
