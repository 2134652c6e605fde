/** AuthZEN evaluations over the verdicts of the service (sections 6 and 7). */
import type { Authzen } from '../../base/authzen.ts';
import { steadyNow } from '../../base/steady-clock.ts';
import { IdentityError, invalidRequest } from '../../errors.ts';
import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import { tooLate } from '../../service.ts';
import type { Call } from '../endpoint.ts';
import {
  checkDefaults,
  type GivenMembers,
  readEvaluation,
  readObject,
  wrongType,
} from './read-evaluation.ts';
import { toIntent } from './to-intent.ts';

/** What a question is answered with: `decision` is `true` for ALLOW alone. */
export interface AccessDecision {
  readonly decision: boolean;
  readonly context: {
    readonly decision_id?: string;
    /** Why it is denied. */
    readonly reasons?: readonly Reason[];
    /** Why it could not be judged. */
    readonly error?: { readonly status: number; readonly message: string };
  };
}

/** The answers to several questions, in their order; shorter where one of them was decisive. */
export interface AccessDecisions {
  readonly evaluations: readonly AccessDecision[];
}

/** Gives the verdict on the question of this place. */
export type AskVerdict = (intent: Intent, place: number) => Promise<VerdictRecord>;

const MAX_EVALUATIONS = 100;

/** The decision after which no further question is judged. */
const DECISIVE = {
  execute_all: undefined,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
} as const;

/** The decision on a single question; `invalid_request` for one that is malformed. */
export async function evaluateOne(
  given: unknown,
  authzen: Authzen,
  ask: AskVerdict,
): Promise<AccessDecision> {
  return decisionOf(await ask(toIntent(readEvaluation(readObject(given)), authzen), 0));
}

/**
 * The decisions on the questions of `evaluations`, or that on a single one where there are none. One is judged after the
 * other, so that nothing is spent for an answer that is cut. A malformed question is denied, and the others are judged.
 */
export async function evaluateAll(
  { service, count, signal }: Pick<Call<'key'>, 'service' | 'count' | 'signal'>,
  given: unknown,
  { authzen, ask }: { readonly authzen: Authzen; readonly ask: AskVerdict },
): Promise<AccessDecision | AccessDecisions> {
  const body = readObject(given);
  const questions = readQuestions(body);
  if (questions.length === 0) return evaluateOne(body, authzen, ask);
  const decisive = readDecisive(body['options']);
  checkDefaults(body);
  // The first was counted before the body was read.
  if (decisive === undefined && questions.length > 1) count(questions.length - 1);
  const isGone = signal();
  const until = steadyNow() + service.deadlineMs;
  const evaluations: AccessDecision[] = [];
  for (const [place, question] of questions.entries()) {
    isGone.throwIfAborted();
    if (steadyNow() > until) throw tooLate();
    if (decisive !== undefined && place > 0) count(1);
    const answer = await evaluateItem(() =>
      ask(toIntent(readEvaluation(readObject(question), body), authzen), place),
    );
    evaluations.push(answer);
    if (answer.decision === decisive) break;
  }
  return { evaluations };
}

function readQuestions({ evaluations = [] }: GivenMembers): readonly unknown[] {
  if (!Array.isArray(evaluations)) throw invalidRequest([wrongType('/evaluations', 'an array')]);
  if (evaluations.length <= MAX_EVALUATIONS) return evaluations;
  const message = `It must have at most ${MAX_EVALUATIONS} entries.`;
  throw invalidRequest([{ path: '/evaluations', code: 'too_many', message }]);
}

function readDecisive(options: unknown): boolean | undefined {
  if (options === undefined) return undefined;
  const { evaluations_semantic: semantic = 'execute_all' } = readObject(options, '/options');
  if (typeof semantic === 'string' && Object.hasOwn(DECISIVE, semantic))
    return DECISIVE[semantic as keyof typeof DECISIVE];
  const message = `It must be one of ${Object.keys(DECISIVE).join(', ')}.`;
  throw invalidRequest([{ path: '/options/evaluations_semantic', code: 'not_allowed', message }]);
}

async function evaluateItem(ask: () => Promise<VerdictRecord>): Promise<AccessDecision> {
  try {
    return decisionOf(await ask());
  } catch (error) {
    if (!(error instanceof IdentityError) || error.code !== 'invalid_request') throw error;
    return { decision: false, context: { error: { status: 400, message: error.message } } };
  }
}

function decisionOf({ verdict, decision_id, reasons }: VerdictRecord): AccessDecision {
  return verdict === 'ALLOW'
    ? { decision: true, context: { decision_id } }
    : { decision: false, context: { decision_id, reasons } };
}
