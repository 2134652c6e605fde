/** Answers AuthZEN evaluations (sections 6 and 7) with verdicts of the service. */

import { steadyNow } from '../../base/async/watch.ts';
import type { Authzen, AuthzenEvaluation } from '../../base/authzen.ts';
import { isSameJson } from '../../base/values/json-values.ts';
import { compareAmounts, readAmount } from '../../base/values/money.ts';
import { requireScope, tooLate } from '../../core.ts';
import { IdentityError, invalidRequest, wrongField } from '../../errors.ts';
import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import type { Call } from '../endpoint.ts';
import { withBoundedProof } from '../read-proof.ts';
import {
  checkDefaults,
  type GivenMembers,
  readEvaluation,
  readObject,
  wrongType,
} from './read-evaluation.ts';

export interface AccessDecision {
  readonly decision: boolean;
  readonly context: {
    readonly decision_id?: string;
    readonly permit?: string | null;
    /** The mark of an `ALLOW`, if a rule of order counts the outcome. */
    readonly mark?: string;
    readonly reasons?: readonly Reason[];
    readonly error?: { readonly status: number; readonly message: string };
  };
}

/** The answers to several evaluations, in order. The list ends early if an answer decides all of them. */
export interface AccessDecisions {
  readonly evaluations: readonly AccessDecision[];
}

export type AskVerdict = (intent: Intent, place: number) => Promise<VerdictRecord>;

const MAX_EVALUATIONS = 100;

/** The decision after which the other evaluations are skipped, for each semantic. */
const DECISIVE = {
  execute_all: undefined,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
} as const;

export async function evaluateOne(
  value: unknown,
  authzen: Authzen,
  ask: AskVerdict,
): Promise<AccessDecision> {
  return decisionOf(await ask(toIntent(readEvaluation(readObject(value)), authzen), 0));
}

/**
 * Answers the evaluations of a body, or the body as a single evaluation if it has no `evaluations`.
 *
 * Evaluations run one after another, so that evaluations after the decisive one spend nothing. A malformed evaluation
 * is denied, and the others are still evaluated.
 *
 * @throws {IdentityError} `insufficient_scope` for the whole body if an evaluation asks for a permit and the API key
 * may not.
 */
export async function evaluateAll(
  { service, caller, count, signal }: Pick<Call<'key'>, 'service' | 'caller' | 'count' | 'signal'>,
  value: unknown,
  { authzen, ask }: { readonly authzen: Authzen; readonly ask: AskVerdict },
): Promise<AccessDecision | AccessDecisions> {
  const body = readObject(value);
  const questions = readQuestions(body);
  if (questions.length === 0) return evaluateOne(body, authzen, ask);
  const decisive = readDecisive(body['options']);
  checkDefaults(body);
  // `admit` counted the first one before the body was read.
  if (decisive === undefined && questions.length > 1) count(questions.length - 1);
  // Before anything is judged: a batch is refused as a whole.
  if (questions.some((question) => asksForPermit(question, body))) requireScope(caller, 'permit');
  const isGone = signal();
  const endMs = steadyNow() + service.serving.deadlineMs;
  const evaluations: AccessDecision[] = [];
  for (const [place, question] of questions.entries()) {
    isGone.throwIfAborted();
    if (steadyNow() > endMs) throw tooLate();
    if (decisive !== undefined && place > 0) count(1);
    const answer = await evaluateItem(() =>
      ask(toIntent(readEvaluation(readObject(question), body), authzen), place),
    );
    evaluations.push(answer);
    if (answer.decision === decisive) break;
  }
  return { evaluations };
}

function asksForPermit(question: unknown, { context: standard }: GivenMembers): boolean {
  // What is no object has no members, and is no evaluation.
  const { context = standard } = Object(question);
  return Object(Object(context)['agent_identity'])['permit'] !== undefined;
}

function readQuestions({ evaluations = [] }: GivenMembers): readonly unknown[] {
  if (!Array.isArray(evaluations)) throw invalidRequest([wrongType('/evaluations', 'an array')]);
  if (evaluations.length <= MAX_EVALUATIONS) return evaluations;
  const message = `It must have at most ${MAX_EVALUATIONS} entries.`;
  throw wrongField('/evaluations', 'too_many', message);
}

function readDecisive(options: unknown): boolean | undefined {
  if (options === undefined) return undefined;
  const { evaluations_semantic: semantic = 'execute_all' } = readObject(options, '/options');
  if (typeof semantic === 'string' && Object.hasOwn(DECISIVE, semantic))
    return DECISIVE[semantic as keyof typeof DECISIVE];
  const message = `It must be one of ${Object.keys(DECISIVE).join(', ')}.`;
  throw wrongField('/options/evaluations_semantic', 'not_allowed', message);
}

async function evaluateItem(ask: () => Promise<VerdictRecord>): Promise<AccessDecision> {
  try {
    return decisionOf(await ask());
  } catch (error) {
    if (!(error instanceof IdentityError) || error.code !== 'invalid_request') throw error;
    return { decision: false, context: { error: { status: 400, message: error.message } } };
  }
}

function decisionOf({ verdict, decision_id, reasons, permit, mark }: VerdictRecord): AccessDecision {
  const query = { ...(permit !== undefined && { permit }), ...(mark !== undefined && { mark }) };
  return verdict === 'ALLOW'
    ? { decision: true, context: { decision_id, ...query } }
    : { decision: false, context: { decision_id, reasons, ...query } };
}

const OWN_FIELDS = ['proof', 'hold_seconds', 'approval_id', 'subject', 'session', 'usage', 'permit'] as const;

/**
 * Returns the intent.
 *
 * @throws {IdentityError} `invalid_request` if two parts of the evaluation name different amounts or currencies, or if
 * the evaluation and the application name different subjects.
 */
function toIntent(evaluation: AuthzenEvaluation, { agentIdOf, subjectOf }: Authzen): Intent {
  const { subject, action, resource, context } = evaluation;
  const { agent_identity, ...otherFields } = context ?? {};
  const amount = onlyOne(evaluation, 'amount', isSameAmount);
  const currency = onlyOne(evaluation, 'currency', isSameJson);
  const intent = {
    agent_id: agentIdOf(evaluation),
    action: action.name,
    ...(resource.id.startsWith('did:') && { target: resource.id }),
    parameters: {
      ...(amount !== undefined && { amount }),
      ...(currency !== undefined && { currency }),
      subject: flat(subject),
      resource: flat(resource),
      ...(action.properties !== undefined && { properties: action.properties }),
      // Omits an empty context: the repeated evaluation, whose context named only the approval, must equal the
      // approved one, which may have had no context.
      ...(Object.keys(otherFields).length > 0 && { context: otherFields }),
    },
  };
  const identityFields = agent_identity === undefined ? {} : ownFields(agent_identity);
  const hosts = subjectOf(evaluation);
  if (hosts !== undefined) {
    const { subject: subjectName = hosts } = identityFields;
    if (subjectName !== hosts) throw otherSubject();
    identityFields['subject'] = hosts;
  }
  return withBoundedProof({ ...intent, ...identityFields }) as Intent;
}

/** Returns the properties with `type` and `id` last, so that no property of the same name replaces them. */
function flat({ type, id, properties }: AuthzenEvaluation['resource']): GivenMembers {
  return { ...properties, type, id };
}

function ownFields(givenValue: unknown): Record<string, unknown> {
  if (typeof givenValue !== 'object' || givenValue === null || Array.isArray(givenValue)) {
    throw invalidRequest([wrongType('/context/agent_identity', 'a JSON object')]);
  }
  const identityFields: Record<string, unknown> = {};
  for (const name of OWN_FIELDS) {
    const value = (givenValue as GivenMembers)[name];
    if (value !== undefined) identityFields[name] = value;
  }
  return identityFields;
}

function otherSubject(): IdentityError {
  const message = 'The agent acts for another subject.';
  return wrongField('/context/agent_identity/subject', 'conflict', message);
}

function onlyOne(
  { action, resource, context }: AuthzenEvaluation,
  name: 'amount' | 'currency',
  isSame: (first: unknown, second: unknown) => boolean,
): unknown {
  const [first, ...otherEntries] = [
    action.properties?.[name],
    resource.properties?.[name],
    context?.[name],
  ].filter((value) => value !== undefined);
  if (otherEntries.every((otherEntry) => isSame(first, otherEntry))) return first;
  const message = `The ${name} is named in two places, with different values.`;
  throw wrongField(`/action/properties/${name}`, 'conflict', message);
}

/** Compares two amounts by their value: 10 and "10.00" are the same. Other values must be equal as JSON. */
function isSameAmount(first: unknown, second: unknown): boolean {
  const a = readAmount(first);
  const b = readAmount(second);
  return a !== null && b !== null ? compareAmounts(a, b) === 0 : isSameJson(first, second);
}
