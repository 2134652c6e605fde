/** AuthZEN evaluations, answered by verdicts of the service (sections 6 and 7). */

import { steadyNow } from '../../base/async/steady-clock.ts';
import type { Authzen } from '../../base/authzen.ts';
import { IdentityError, invalidRequest } from '../../errors.ts';
import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import { requireScope, tooLate } from '../../service.ts';
import type { Call } from '../endpoint.ts';
import {
  checkDefaults,
  type GivenMembers,
  readEvaluation,
  readObject,
  wrongType,
} from './read-evaluation.ts';
import { toIntent } from './to-intent.ts';

/** The answer to one evaluation: `decision` is `true` for ALLOW alone. */
export interface AccessDecision {
  readonly decision: boolean;
  readonly context: {
    readonly decision_id?: string;
    /** The permit, where the evaluation asks for one. */
    readonly permit?: string | null;
    /** The reasons of a DENY. */
    readonly reasons?: readonly Reason[];
    /** The error, if no verdict could be given. */
    readonly error?: { readonly status: number; readonly message: string };
  };
}

/** The answers to several evaluations, in their order. The list ends early at an answer that decides them all. */
export interface AccessDecisions {
  readonly evaluations: readonly AccessDecision[];
}

/** Gives the verdict on the evaluation at this index. */
export type AskVerdict = (intent: Intent, place: number) => Promise<VerdictRecord>;

const MAX_EVALUATIONS = 100;

/** The decision after which no further evaluation is evaluated, by semantic. */
const DECISIVE = {
  execute_all: undefined,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
} as const;

/** Answers one evaluation; throws `invalid_request` if it is malformed. */
export async function evaluateOne(
  given: unknown,
  authzen: Authzen,
  ask: AskVerdict,
): Promise<AccessDecision> {
  return decisionOf(await ask(toIntent(readEvaluation(readObject(given)), authzen), 0));
}

/**
 * Answers the evaluations of a body, or its single one if it has no `evaluations`. They are evaluated one after the
 * other, so that an evaluation after the decisive one charges no budget. A malformed one is denied, and the others are
 * judged. Throws `insufficient_scope` for all where one asks for a permit and the key may not.
 */
export async function evaluateAll(
  { service, caller, count, signal }: Pick<Call<'key'>, 'service' | 'caller' | 'count' | 'signal'>,
  given: unknown,
  { authzen, ask }: { readonly authzen: Authzen; readonly ask: AskVerdict },
): Promise<AccessDecision | AccessDecisions> {
  const body = readObject(given);
  const questions = readQuestions(body);
  if (questions.length === 0) return evaluateOne(body, authzen, ask);
  const decisive = readDecisive(body['options']);
  checkDefaults(body);
  // `admit` counted the first one before the body was read.
  if (decisive === undefined && questions.length > 1) count(questions.length - 1);
  // Before anything is judged: a batch is refused as a whole.
  if (questions.some((question) => asksForPermit(question, body))) requireScope(caller, 'permit');
  const isGone = signal();
  const until = steadyNow() + service.serving.deadlineMs;
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

/** Says that the question of this body asks for a permit, in its own context or in that of the body. */
function asksForPermit(question: unknown, { context: standard }: GivenMembers): boolean {
  // What is no object has no members, and is no evaluation.
  const { context = standard } = Object(question);
  return Object(Object(context)['agent_identity'])['permit'] !== undefined;
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

function decisionOf({ verdict, decision_id, reasons, permit }: VerdictRecord): AccessDecision {
  const asked = permit === undefined ? {} : { permit };
  return verdict === 'ALLOW'
    ? { decision: true, context: { decision_id, ...asked } }
    : { decision: false, context: { decision_id, reasons, ...asked } };
}
