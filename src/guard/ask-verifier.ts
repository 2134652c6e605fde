/** One question to a verifier, with a deadline. */
import { createDeadlines } from '../base/deadlines.ts';
import type { Intent } from '../records.ts';
import type { Verifier, VerifierOptions } from './tool-call.ts';

/** One question. */
export interface VerifierQuestion<Answer> {
  readonly intent: Intent;
  readonly signal: AbortSignal | undefined;
  readonly idempotency_key: string;
  /**
   * Makes the answer of what the verifier gives; of `undefined` where it fails, the time is over or the signal is
   * aborted. Called once.
   */
  readonly conclude: (record: unknown) => Answer | Promise<Answer>;
  /** Called with what the verifier gives after that. */
  readonly onLate: (record: unknown) => void;
}

/** Asks for the verdict on an intent. */
export type AskVerifier = <Answer>(question: VerifierQuestion<Answer>) => Promise<Answer>;

/** Questions to this verifier. One timer serves all of them: a timer each would take as long as a verdict. */
export function createAskVerifier(verifier: Verifier, timeoutMs: number): AskVerifier {
  const deadlines = createDeadlines(timeoutMs, () => new Error('There was no verdict in time.'));

  return ({ intent, signal, idempotency_key, conclude, onLate }) =>
    new Promise((resolve) => {
      const options: AskOptions = Object.create(LAZY_SIGNAL);
      options.idempotency_key = idempotency_key;
      let isSettled = false;

      function settle(record: unknown): void {
        if (isSettled) {
          if (record !== undefined) onLate(record);
          return;
        }
        isSettled = true;
        deadlines.finish(timed);
        signal?.removeEventListener('abort', giveUp);
        resolve(conclude(record));
      }
      function giveUp(): void {
        settle(undefined);
        options[IS_OVER] = true;
        options[CONTROLLER]?.abort();
      }

      const timed = deadlines.begin(giveUp);
      if (signal?.aborted) return giveUp();
      try {
        signal?.addEventListener('abort', giveUp);
        verifier.verify(intent, options).then(settle, () => giveUp());
      } catch {
        giveUp();
      }
    });
}

const CONTROLLER = Symbol();
const IS_OVER = Symbol();

interface AskOptions extends VerifierOptions {
  idempotency_key?: string;
  [CONTROLLER]?: AbortController;
  [IS_OVER]?: boolean;
}

/** Making a signal takes longer than a verdict: it is made when the verifier first reads it. */
const LAZY_SIGNAL = {
  get signal(): AbortSignal {
    const options = this as unknown as AskOptions;
    options[CONTROLLER] ??= new AbortController();
    if (options[IS_OVER]) options[CONTROLLER].abort();
    return options[CONTROLLER].signal;
  },
};
