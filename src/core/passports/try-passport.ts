/** Evaluates an intent against a passport, with or without an unsaved patch. Records no verdict. */
import { turn } from '../../base/async/turns.ts';
import { wrongField } from '../../errors.ts';
import type { Intent, Passport, PassportPatch, Verdict } from '../../records.ts';
import { checkCopy } from '../../schema/check.ts';
import { tryRequestSchema } from '../../schema/validators.generated.ts';
import { approvalRequired } from '../../verdict/approval.ts';
import { DEFERRED } from '../../verdict/budgets.ts';
import { decide, type PreparedPassport, type ProofFact, prepare, type Rule } from '../../verdict/index.ts';
import { approvalAsked } from '../../verdict/takings.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import type { Spending } from '../spending/spending.ts';
import type { PassportRecord } from './collections.ts';
import { ancestorsOf } from './issue-passport.ts';
import { fieldErrors } from './passport-fields.ts';
import { assertChangeable, patchedRecord } from './passport-patch.ts';
import { ownedPassport } from './passport-store.ts';

/** The intent and the patch of a trial. */
export interface TryInput {
  /** The intent to evaluate. Its `agent_id` must name this passport. */
  readonly intent: Intent;
  /** A JSON Merge Patch that is applied for this trial only. Absent: the passport is not changed. */
  readonly patch?: PassportPatch;
}

type TryPassport = (agentId: string, input: TryInput, actor?: Actor) => Promise<Verdict>;

/** The parts that evaluate a trial. */
export interface TryParts {
  readonly rules: readonly Rule[];
  /** Returns the verdict of the budgets without spending anything. */
  readonly spending: Pick<Spending, 'trial'>;
  /** Checks a proof of possession without marking it as used. */
  readonly checkProof: (
    text: string,
    proof: { readonly passport: Passport; readonly intent: Intent; readonly at: number },
  ) => Promise<{ readonly fact: ProofFact }>;
}

/** Creates the function that evaluates trials. */
export function createTryPassport(
  context: Pick<Context, 'store' | 'clock' | 'session' | 'allowLocalhost' | 'proofTerms'>,
  { rules, checkProof, spending }: TryParts,
): TryPassport {
  return async (agentId, input, actor = {}) => {
    const { intent, patch } = checkCopy<TryInput>(tryRequestSchema, input, ({ patch }) =>
      fieldErrors(Object(patch), context).map((error) => ({ ...error, path: `/patch${error.path}` })),
    );
    if (intent.agent_id !== agentId) {
      const message = 'This must be the agent_id of the passport.';
      throw wrongField('/intent/agent_id', 'not_allowed', message);
    }
    const foundRecord = await ownedPassport(context, agentId, actor);
    if (patch !== undefined) assertChangeable(foundRecord);
    const record = (patch && patchedRecord(foundRecord, patch, context, '/patch')) ?? foundRecord;
    const caller = { account_id: accountOf(context, actor) };
    const passport = evaluatedPassport(record);
    const preparedPassport = prepare(passport);
    const ancestors: PreparedPassport[] = [];
    for (const ancestor of await ancestorsOf(context, record)) {
      // Each takes some milliseconds if the lists are long.
      await turn();
      ancestors.push(prepare(evaluatedPassport(ancestor)));
    }
    const atMs = context.clock.now();
    const { proof: text, ...query } = intent;
    const proof =
      text === undefined ? undefined : (await checkProof(text, { passport, intent: query, at: atMs })).fact;
    const question = {
      passport: preparedPassport,
      intent: query,
      at: atMs,
      caller,
      ancestors,
      proof,
      budgets: DEFERRED,
    };
    const verdict = decide(question, rules);
    if (verdict.verdict !== 'ALLOW') return verdict;
    const fitting = await spending.trial(preparedPassport, ancestors, query);
    const isAsked =
      fitting.verdict === 'ALLOW' && approvalAsked([preparedPassport, ...ancestors], query) !== undefined;
    return isAsked ? ASKED : fitting;
  };
}

/** The verdict if an approval is required. A trial creates and uses no approval. */
const ASKED: Verdict = {
  verdict: 'DENY',
  reasons: [approvalRequired({ approval_id: null, expires_at: null })],
};

/** Returns the passport in the form that the rules evaluate, with its account. */
export function evaluatedPassport(record: PassportRecord): Passport {
  return { agent_id: record.id, ...record } as Passport;
}
