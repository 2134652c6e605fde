/** Verdicts: the passport from the store, the decision from the pure core, the record to whoever asked. */
import { decisionIds } from '../credential/random-id.ts';
import { currencyDecimals } from '../currency.ts';
import { formatInstant } from '../instant.ts';
import { readAmount } from '../money.ts';
import type { Environment, Intent, VerdictRecord } from '../records.ts';
import { check } from '../schema/check.ts';
import { decide, type PreparedPassport, prepare, type Rule } from '../verdict/index.ts';
import { type Context, LOCAL_ACCOUNT } from './context.ts';
import type { Hooks } from './hooks.ts';
import type { Journal } from './journal.ts';
import type { Filed } from './rollups.ts';
import type { PassportRecord } from './stored.ts';
import { toJournalEntry } from './verifications.ts';

/** Who asks. Empty: the host itself, which sees every passport. */
export interface VerifyCaller {
  /** Narrows to the passports of one account. */
  readonly account_id?: string;
  /** Narrows to these agents; `null` or absent: every agent. */
  readonly agent_ids?: readonly string[] | null;
  /** The key that asks, for the record. */
  readonly key_id?: string | null;
  readonly environment?: Environment;
}

/** Answers what agents may do. */
export interface VerifyService {
  /** `invalid_request` for a malformed intent, `storage_unavailable` when no verdict could be formed. */
  verify(intent: Intent, caller?: VerifyCaller): Promise<VerdictRecord>;
  /** One verdict per intent, in their order; one malformed intent refuses them all. */
  verifyBatch(
    batch: { readonly intents: readonly Intent[] },
    caller?: VerifyCaller,
  ): Promise<readonly VerdictRecord[]>;
}

/** What a verdict is judged by, and who hears of it. */
export interface VerifyParts {
  readonly rules: readonly Rule[];
  readonly journal: Journal;
  readonly hooks: Hooks;
}

interface Found {
  readonly version: number;
  readonly account_id: string;
  readonly passport: PreparedPassport;
}

/** The verify service over the passports of `context`. */
export function createVerify(context: Context, parts: VerifyParts): VerifyService {
  const { rules, journal, hooks } = parts;
  const nextDecisionId = decisionIds(context.random);

  async function find(agentId: string): Promise<Found | undefined> {
    const record = await context.store.get('passports', agentId);
    if (record === undefined) return undefined;
    const { version, account_id } = record;
    return { version, account_id, passport: toPrepared(record) };
  }

  function judge(intent: Intent, found: Found | undefined, caller: VerifyCaller): VerdictRecord {
    const at = context.clock.now();
    const { verdict, reasons } = decide({ passport: found?.passport, intent, at, caller }, rules);
    const hidden = reasons[0]?.code === 'agent_not_found';
    return {
      verdict,
      reasons,
      decision_id: nextDecisionId(),
      agent_id: intent.agent_id,
      action: intent.action,
      target: intent.target ?? null,
      amount: readAmount(intent.parameters?.['amount']),
      currency: judgedCurrency(intent),
      passport_version: hidden || found === undefined ? null : found.version,
      environment: caller.environment ?? 'live',
      key_id: caller.key_id ?? null,
      dry_run: intent.dry_run ?? false,
      evaluated_at: formatInstant(at),
    };
  }

  /** The verdict under the account of its passport; one on an unknown agent under whoever asked. */
  function toFiled(
    record: VerdictRecord,
    found: Found | undefined,
    caller: VerifyCaller,
    latencyUs: number,
  ): Filed {
    const owner = record.passport_version === null ? undefined : found?.account_id;
    return { entry: toJournalEntry(record, owner ?? caller.account_id ?? LOCAL_ACCOUNT), latencyUs };
  }

  return {
    async verify(given, caller = {}) {
      const startedAt = performance.now();
      try {
        const intent = check<Intent>('Intent', given);
        const found = await find(intent.agent_id);
        const record = judge(intent, found, caller);
        const latencyUs = (performance.now() - startedAt) * 1_000;
        // Awaited only with `strict`: otherwise nothing is there to wait for.
        const stored = journal.file([toFiled(record, found, caller, latencyUs)]);
        if (stored !== undefined) await stored;
        hooks.tell(record, latencyUs);
        return record;
      } catch (error) {
        hooks.fail(error);
        throw error;
      }
    },

    async verifyBatch(given, caller = {}) {
      const startedAt = performance.now();
      try {
        const { intents } = check<{ intents: readonly Intent[] }>('IntentBatch', given);
        const agents = [...new Set(intents.map((intent) => intent.agent_id))];
        const found = new Map(await Promise.all(agents.map(async (id) => [id, await find(id)] as const)));
        const records = intents.map((intent) => judge(intent, found.get(intent.agent_id), caller));
        const latencyUs = (performance.now() - startedAt) * 1_000;
        await journal.file(
          records.map((record) => toFiled(record, found.get(record.agent_id), caller, latencyUs)),
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

function judgedCurrency({ parameters }: Intent): string | null {
  const named = parameters?.['currency'];
  return typeof named === 'string' && currencyDecimals(named) !== undefined ? named : null;
}

function toPrepared(record: PassportRecord): PreparedPassport {
  return prepare({ ...record, agent_id: record.id });
}
