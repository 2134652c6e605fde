/**
 * The hold of a model call. It reserves the maximum usage before the call, and commits the real usage after the call.
 */
import {
  type Amount,
  IdentityError,
  type Intent,
  type IntentUsage,
  type ModelUsage,
  type VerdictRecord,
} from '../../../src/guard/index.ts';

/**
 * The parts of a service, or of `createIdentityClient`, that a hold needs.
 *
 * @throws {Error} Any error. The model is then not called.
 */
export interface ModelVerifier {
  /** Returns the verdict on an intent. */
  verify(intent: Intent, options?: { readonly signal?: AbortSignal }): Promise<VerdictRecord>;
  /** The methods for holds. */
  readonly spends: {
    /** Commits a hold, with the usage and the real cost. */
    commit(
      decisionId: string,
      input?: { readonly amount?: Amount; readonly usage?: IntentUsage },
    ): Promise<unknown>;
    /** Extends a hold. */
    extend(decisionId: string, input: { readonly hold_seconds: number }): Promise<unknown>;
    /** Releases a hold. */
    release(decisionId: string): Promise<unknown>;
  };
}

/** The cost of a model call. */
export interface ModelCost {
  /** The amount, an exact decimal in the minor units of the currency. */
  readonly amount: Amount;
  /** The currency of the passport, such as `EUR`. */
  readonly currency: string;
}

/** The settings for holds of model calls. */
export interface ModelHoldTerms {
  readonly verifier: ModelVerifier;
  readonly agentId: string;
  readonly action: string;
  readonly holdSeconds: number;
  readonly price?: ((usage: ModelUsage, modelId: string) => ModelCost) | undefined;
}

/** A model call with its maximum usage. */
export interface ModelCall {
  readonly usage: ModelUsage;
  readonly modelId: string;
  readonly signal?: AbortSignal | undefined;
}

/** The hold of one model call. Call one of the methods to end it. */
export interface ModelHold {
  /** Commits the usage, or the whole hold if `usage` is `undefined`. Never rejects. */
  commit(usage: ModelUsage | undefined): Promise<void>;
  /** Releases the hold. Never rejects. */
  release(): Promise<void>;
}

/** The maximum that a commit may take, as a multiple of the hold. */
const MOST_HOLDS = 10;
const TRIES = 4;
const RETRY_MS = 1_000;
/** The errors after which another attempt would fail in the same way. */
const FINAL: readonly unknown[] = [
  'conflict',
  'invalid_request',
  'spend_lapsed',
  'not_found',
  'insufficient_scope',
];

/**
 * Holds the usage of a model call, and extends the hold while the call runs.
 *
 * @throws {IdentityError} `tool_denied` on DENY, with `details.record` and `details.reasons`.
 */
export async function holdModelCall(terms: ModelHoldTerms, call: ModelCall): Promise<ModelHold> {
  const { verifier, agentId: agent_id, action, holdSeconds: hold_seconds, price } = terms;
  const { usage, modelId, signal } = call;
  const cost = price?.(usage, modelId);
  const record = await verifier.verify(
    {
      agent_id,
      action,
      usage: { tokens: usage.tokens },
      hold_seconds,
      ...(cost && { parameters: { amount: cost.amount, currency: cost.currency } }),
    },
    signal && { signal },
  );
  const { decision_id, verdict, reasons } = record;
  if (verdict !== 'ALLOW') {
    const why = reasons.map(({ code, message }) => `${message} (${code})`).join(' ');
    const message = `DENY ${decision_id}: ${why} The model was not called.`;
    throw new IdentityError('tool_denied', message, { details: { record, reasons } });
  }
  const extend = () => verifier.spends.extend(decision_id, { hold_seconds }).catch(() => undefined);
  const timer = setInterval(() => void extend(), (hold_seconds * 1_000) / 2);
  // A process that has nothing else to do does not wait for it.
  (timer as { unref?: () => void }).unref?.();

  async function commit(input: CommitOf, tries: number): Promise<void> {
    try {
      await verifier.spends.commit(decision_id, input);
    } catch (error) {
      const { code } = Object(error);
      // A budget without overrun keeps the hold: all of it is spent.
      if (code === 'conflict' && input !== undefined) return commit(undefined, tries);
      if (tries > 1 && !FINAL.includes(code)) setTimeout(() => void commit(input, tries - 1), RETRY_MS);
      else warn(`A model has run, and its hold could not be committed: ${decision_id}.`);
    }
  }

  return {
    async commit(real) {
      clearInterval(timer);
      await commit(real && commitOf(terms, call, real), TRIES);
    },
    async release() {
      clearInterval(timer);
      // A hold that cannot be returned lapses.
      await verifier.spends.release(decision_id).catch(() => undefined);
    },
  };
}

type CommitOf = { readonly amount?: Amount; readonly usage: IntentUsage } | undefined;

/** Returns the commit for a usage, limited to ten times the hold. */
function commitOf(
  { price }: ModelHoldTerms,
  { usage: heldUsage, modelId }: ModelCall,
  real: ModelUsage,
): CommitOf {
  const chargedUsage = real.tokens > MOST_HOLDS * heldUsage.tokens ? timesHold(heldUsage) : real;
  const usage = { tokens: chargedUsage.tokens };
  const amount = price?.(chargedUsage, modelId).amount;
  // No commit has an amount of 0: it stays as held.
  return amount === undefined || Number(amount) === 0 ? { usage } : { amount, usage };
}

function timesHold({ tokens, input_tokens, output_tokens }: ModelUsage): ModelUsage {
  return {
    tokens: MOST_HOLDS * tokens,
    input_tokens: MOST_HOLDS * input_tokens,
    output_tokens: MOST_HOLDS * output_tokens,
  };
}

function warn(message: string): void {
  const { process } = globalThis as { process?: { emitWarning?(message: string, name: string): void } };
  process?.emitWarning?.(message, 'ModelMeterWarning');
}
