/** Verdicts: the passport from memory or the store, the decision from the pure core, the record to the caller. */

import { currencyCode } from '../../base/currency.ts';
import { guardedDeed } from '../../base/guarded-deed.ts';
import { instantSpeller } from '../../base/instant.ts';
import { readAmount } from '../../base/money.ts';
import { countedIds } from '../../credential/random-id.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import { decide, defaultRules, type Rule } from '../../verdict/index.ts';
import type { Journal } from '../journal/journal.ts';
import { type Context, LOCAL_ACCOUNT } from '../shared/context.ts';
import type { Hooks } from '../shared/hooks.ts';
import type { KnownPassport } from '../storage/caches.ts';
import { type IntentReader, judgedIntents, wholeIntents } from './intent.ts';
import { callerOf, HOST, lastingCaller, type VerifyCaller } from './verify-caller.ts';

/** Answers what agents may do. */
export interface VerifyService {
  /** `invalid_request` for a malformed intent, `storage_unavailable` when no verdict could be formed. */
  verify(intent: Intent, caller?: VerifyCaller): Promise<VerdictRecord>;
  /**
   * Runs the deed on ALLOW, and gives back what it gives back. `tool_denied` on DENY, with `details.record` and
   * `details.reasons`; what `verify` rejects with where there is no verdict. Either way the deed does not run.
   */
  guard<T>(
    intent: Intent,
    deed: (record: VerdictRecord) => T | Promise<T>,
    caller?: VerifyCaller,
  ): Promise<T>;
  /** One verdict per intent, in their order; one malformed intent refuses them all. */
  verifyBatch(
    batch: { readonly intents: readonly Intent[] },
    caller?: VerifyCaller,
  ): Promise<readonly VerdictRecord[]>;
}

/** The same with a question that began before it got here. */
export interface VerifySince extends VerifyService {
  /** What `verify` answers to a question that began at `startedAt`, by the monotonic clock; default: now. */
  verifySince(intent: Intent, caller: VerifyCaller, startedAt?: number): Promise<VerdictRecord>;
}

/** What a verdict is judged by, and who hears of it. */
export interface VerifyParts {
  readonly rules: readonly Rule[];
  readonly journal: Journal;
  readonly hooks: Hooks;
}

/** The verify service over the passports of `context`. */
export function createVerify(context: Context, parts: VerifyParts): VerifySince {
  const { clock, caches } = context;
  const { passports, monotonic } = caches;
  const { rules, journal, hooks } = parts;
  const intents: IntentReader = rules === defaultRules ? judgedIntents : wholeIntents;
  const nextDecisionId = countedIds('dec', context.random);
  const spellInstant = instantSpeller();

  function judge(intent: Intent, found: KnownPassport | undefined, caller: VerifyCaller): VerdictRecord {
    const at = clock.now();
    const { verdict, reasons } = decide({ passport: found?.prepared, intent, at, caller }, rules);
    const seen = reasons[0]?.code === 'agent_not_found' ? undefined : found;
    return {
      verdict,
      reasons,
      decision_id: nextDecisionId(),
      // The text of the passport, which the journal need not copy.
      agent_id: seen?.agent_id ?? intent.agent_id,
      action: intent.action,
      target: intent.target ?? null,
      amount: readAmount(intent.parameters?.['amount']),
      currency: currencyCode(intent.parameters?.['currency']),
      passport_version: seen?.version ?? null,
      environment: caller.environment ?? 'live',
      key_id: caller.key_id ?? null,
      request_id: caller.request_id ?? null,
      dry_run: intent.dry_run ?? false,
      evaluated_at: spellInstant(at),
    };
  }

  async function verifySince(given: Intent, asker: VerifyCaller, since?: number): Promise<VerdictRecord> {
    let signal: AbortSignal | undefined;
    try {
      const startedAt = since ?? monotonic();
      const intent = intents.read(given);
      let caller = callerOf(asker);
      let known = passports.peek(intent.agent_id, startedAt);
      if (known === undefined) {
        caller = lastingCaller(caller);
        signal = asker.signal;
        known = await passports.load(intent.agent_id, startedAt);
        signal?.throwIfAborted();
      }
      const record = judge(intent, known.value, caller);
      const latencyUs = (monotonic() - startedAt) * 1_000;
      const stored = journal.file(record, ownerOf(record, known.value, caller), latencyUs);
      if (stored !== undefined) await stored;
      hooks.tell(record, latencyUs);
      return record;
    } catch (error) {
      // The caller of an aborted call does not wait for it: that is not a failure.
      if (!signal?.aborted) hooks.fail(error);
      throw error;
    }
  }

  async function lookUp(agentId: string, at: number): Promise<KnownPassport | undefined> {
    return (passports.peek(agentId, at) ?? (await passports.load(agentId, at))).value;
  }

  return {
    verifySince,

    verify: (given, caller = HOST) => verifySince(given, caller),

    guard: (given, deed, caller = HOST) => guardedDeed((intent) => verifySince(intent, caller), given, deed),

    async verifyBatch(given, asker = HOST) {
      const startedAt = monotonic();
      try {
        const batch = intents.readBatch(given);
        const caller = lastingCaller(callerOf(asker));
        const agents = [...new Set(batch.map((intent) => intent.agent_id))];
        const found = new Map(
          await Promise.all(agents.map(async (id) => [id, await lookUp(id, startedAt)] as const)),
        );
        const records = batch.map((intent) => judge(intent, found.get(intent.agent_id), caller));
        const latencyUs = (monotonic() - startedAt) * 1_000;
        await Promise.all(
          records.map((record) =>
            journal.file(record, ownerOf(record, found.get(record.agent_id), caller), latencyUs),
          ),
        );
        for (const record of records) hooks.tell(record, latencyUs);
        return records;
      } catch (error) {
        hooks.fail(error);
        throw error;
      }
    },
  };
}

/** The account of the passport; a verdict on an unknown agent is filed under whoever asked. */
function ownerOf(record: VerdictRecord, found: KnownPassport | undefined, caller: VerifyCaller): string {
  const owner = record.passport_version === null ? undefined : found?.account_id;
  return owner ?? caller.account_id ?? LOCAL_ACCOUNT;
}
