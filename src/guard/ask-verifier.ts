import type { Pause } from '../base/async/pause.ts';
import { createWatch } from '../base/async/watch.ts';
import type { Intent } from '../records.ts';
import type { Verifier, VerifierOptions } from './tool-call.ts';

/** A request to the verifier. */
export interface VerifierQuestion {
  readonly intent: Intent;
  readonly signal: AbortSignal | undefined;
  readonly idempotency_key: string;
  /** `true` if the caller chose the idempotency key. An earlier run with this key may then have spent the amount. */
  readonly isShared: boolean;
  /** The pause after which this run continues, with the key of an earlier run. `undefined` for a first run. */
  continued: Pause | undefined;
}

/**
 * The functions that handle the answers of a verifier. All requests share them, because creating functions for each
 * would take as long as a verdict.
 */
export interface VerifierAnswers<Question, Answer> {
  /**
   * Checks the answer again, before the deadline, if an earlier run had the same key. Returns `undefined` if the answer
   * is not valid.
   */
  readonly confirm: (question: Question, record: unknown) => Promise<unknown>;
  /**
   * Creates the result from the verifier's answer. Gets `undefined` if the verifier fails, the deadline has passed or
   * the signal is aborted. Called once for each request.
   */
  readonly conclude: (question: Question, record: unknown) => Answer | Promise<Answer>;
  /** Called with an answer that arrives after `conclude` was called. */
  readonly onLate: (question: Question, record: unknown) => void;
}

/**
 * Creates the function that asks this verifier. One timer serves all requests, because a timer for each would take as
 * long as a verdict.
 */
export function createAskVerifier<Question extends VerifierQuestion, Answer>(
  verifier: Verifier,
  timeoutMs: number,
  { confirm, conclude, onLate }: VerifierAnswers<Question, Answer>,
): (question: Question) => Promise<Answer> {
  const watch = createWatch<Watched>(timeoutMs, ({ giveUp }) => giveUp());

  return (question) =>
    new Promise((resolve) => {
      const { intent, signal } = question;
      const isRepeated = question.isShared || question.continued !== undefined;
      const options: AskOptions = Object.create(LAZY_SIGNAL);
      options.idempotencyKey = question.idempotency_key;
      let isSettled = false;

      function settle(record: unknown): void {
        if (isSettled) {
          if (record !== undefined) onLate(question, record);
          return;
        }
        isSettled = true;
        watch.finish(callWatch);
        signal?.removeEventListener('abort', giveUp);
        resolve(conclude(question, record));
      }
      function giveUp(): void {
        settle(undefined);
        options[IS_OVER] = true;
        options[CONTROLLER]?.abort();
      }

      const callWatch: Watched = { end: 0, giveUp };
      watch.begin(callWatch);
      if (signal?.aborted) return giveUp();
      try {
        signal?.addEventListener('abort', giveUp);
        const look = (record: unknown): unknown => confirm(question, record).then(settle, giveUp);
        verifier.verify(intent, options).then(isRepeated ? look : settle, giveUp);
      } catch {
        giveUp();
      }
    });
}

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

/**
 * Options with a signal that is created when the verifier first reads the signal. Creating a signal takes longer than a
 * verdict.
 */
const LAZY_SIGNAL = {
  get signal(): AbortSignal {
    const options = this as unknown as AskOptions;
    options[CONTROLLER] ??= new AbortController();
    if (options[IS_OVER]) options[CONTROLLER].abort();
    return options[CONTROLLER].signal;
  },
};
