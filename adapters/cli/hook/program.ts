/** The module that `dist/hook.cjs` loads. It evaluates events in the hook process if no resident process runs. */
import { blocked, type EventInput, judgeEvent } from './judge-event.ts';
import { createSession } from './session.ts';
import type { HookAnswer } from './wire.ts';

export interface JudgeModule {
  readonly judgeHere: typeof judgeHere;
}

/** Evaluates one event in this process. Never rejects. */
export async function judgeHere(input: EventInput): Promise<HookAnswer> {
  const session = createSession({ isResident: false });
  try {
    return await judgeEvent(session, input);
  } catch (error) {
    return blocked(error);
  } finally {
    await session.close().catch(() => undefined);
  }
}
