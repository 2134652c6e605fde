/** One question to a verifier, with a deadline. */
import { createWatch } from '../base/watch.ts';
import type { Intent } from '../records.ts';
import type { Verifier, VerifierOptions } from './tool-call.ts';

/** One question. */
export interface VerifierQuestion {
  readonly intent: Intent;
  readonly signal: AbortSignal | undefined;
  readonly idempotency_key: string;
  /** Whether another run may go on with what this one took. */
  readonly isShared: boolean;
}

/** What is made of the answers of a verifier. The same for all questions: functions for each would take as long as a verdict. */
export interface VerifierAnswers<Question, Answer> {
  /** Looks once more at what the verifier gives to a question that is shared, within its time; `undefined`: it is no answer. */
  readonly confirm: (question: Question, record: unknown) => Promise<unknown>;
  /**
   * Makes the answer of what the verifier gives; of `undefined` where it fails, the time is over or the signal is
   * aborted. Called once for a question.
   */
  readonly conclude: (question: Question, record: unknown) => Answer;
  /** Called with what the verifier gives after that. */
  readonly onLate: (question: Question, record: unknown) => void;
}

/** Asks this verifier for verdicts on intents. One timer serves all of them: a timer each would take as long as a verdict. */
export function createAskVerifier<Question extends VerifierQuestion, Answer>(
  verifier: Verifier,
  timeoutMs: number,
  { confirm, conclude, onLate }: VerifierAnswers<Question, Answer>,
): (question: Question) => Promise<Answer> {
  const watch = createWatch<Watched>(timeoutMs, ({ giveUp }) => giveUp());

  return (question) =>
    new Promise((resolve) => {
      const { intent, signal, isShared } = question;
      const options: AskOptions = Object.create(LAZY_SIGNAL);
      options.idempotencyKey = question.idempotency_key;
      let isSettled = false;

      function settle(record: unknown): void {
        if (isSettled) {
          if (record !== undefined) onLate(question, record);
          return;
        }
        isSettled = true;
        watch.finish(watched);
        signal?.removeEventListener('abort', giveUp);
        resolve(conclude(question, record));
      }
      function giveUp(): void {
        settle(undefined);
        options[IS_OVER] = true;
        options[CONTROLLER]?.abort();
      }

      const watched: Watched = { end: 0, giveUp };
      watch.begin(watched);
      if (signal?.aborted) return giveUp();
      try {
        signal?.addEventListener('abort', giveUp);
        const look = (record: unknown): unknown => confirm(question, record).then(settle, giveUp);
        verifier.verify(intent, options).then(isShared ? look : settle, giveUp);
      } catch {
        giveUp();
      }
    });
}

/** A question on its way. */
interface Watched {
  end: number;
  readonly giveUp: () => void;
}

const CONTROLLER = Symbol();
const IS_OVER = Symbol();

interface AskOptions extends VerifierOptions {
  idempotencyKey?: string;
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
