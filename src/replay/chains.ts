/**
 * The passports with which a record is evaluated: the passport of its agent and of its ancestors. Their current states,
 * such as suspended, do not count.
 */
import { createBoundedMap } from '../base/bounded-map.ts';
import { MAX_ANCESTORS } from '../base/values/field-limits.ts';
import { evaluatedPassport } from '../core/passports/change-between.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { versionId } from '../core/passports/passport-record.ts';
import { standingState } from '../core/passports/sound-passport.ts';
import type { Store } from '../core/storage/store.ts';
import { readAncestors } from '../journal-format/index.ts';
import type { PolicyBudget } from '../verdict/budgets.ts';
import { type PreparedPassport, prepare } from '../verdict/index.ts';
import { type Policy, readAmountIn, readCurrency } from '../verdict/policy.ts';
import { preparationOf } from '../verdict/prepare.ts';
import { REQUIREMENTS } from '../verdict/proof.ts';
import { hasBudgets, hasConditions, hasHistory, wantsApproval } from '../verdict/takings.ts';

/** The passport of an agent and the passports of its ancestors, nearest first. */
export interface PassportChain {
  readonly passport: PreparedPassport;
  readonly ancestors: readonly PreparedPassport[];
  readonly all: readonly PreparedPassport[];
  readonly keys: ReadonlySet<string>;
  /**
   * The strongest proof of possession that a passport of the chain requires. `ownProof` is the requirement of the
   * agent's own passport. 0: none.
   */
  readonly proof: number;
  readonly ownProof: number;
  /** The maximum number of decimals of an amount. `undefined`: it depends on the currency of the intent. */
  readonly decimals: number | undefined;
  readonly wantsApproval: boolean;
  readonly hasBudgets: boolean;
  readonly hasConditions: boolean;
  readonly hasHistory: boolean;
}

/** The strongest requirement: a proof of exactly the intent. */
export const ASKS_INTENT: number = REQUIREMENTS.intent;

/** Creates the chain of these passports, all of them as if they were active. */
export function passportChain(
  ownRecord: PassportRecord,
  recordsAbove: readonly PassportRecord[],
): PassportChain {
  const [passport, ...ancestors] = [ownRecord, ...recordsAbove].map(prepareActive) as [
    PreparedPassport,
    ...PreparedPassport[],
  ];
  const passports = [passport, ...ancestors];
  const policies = passports.map(policyIn);
  return {
    passport,
    ancestors,
    all: passports,
    keys: new Set((ownRecord.public_keys ?? []).map(({ kid }) => kid)),
    proof: Math.max(...policies.map((policy) => policy?.proof ?? 0)),
    ownProof: policies[0]?.proof ?? 0,
    decimals: policies[0]?.decimals,
    wantsApproval: passports.some(wantsApproval),
    hasBudgets: passports.some(hasBudgets),
    hasConditions: passports.some(hasConditions),
    hasHistory: passports.some(hasHistory),
  };
}

/** Returns the policy of a passport. Returns `undefined` if the passport cannot be read. */
export function policyIn(passport: PreparedPassport): Policy | undefined {
  return preparationOf(passport).policy;
}

/**
 * Returns the budgets that a replay can count. Leaves out budgets with `overrun`: more than the held amount
 * may be committed, and records do not show this amount.
 */
export function withoutOverrun(budgets: readonly PolicyBudget[]): readonly PolicyBudget[] {
  return budgets.filter(({ overrun }) => !overrun);
}

function prepareActive(record: PassportRecord): PreparedPassport {
  const active = standingState(undefined, { author: '', at: record.created_at });
  return prepare(evaluatedPassport({ ...record, ...active }));
}

/**
 * Reads the amount of a record as a verify request does. If the record has no currency, the amount has the
 * currency of the passport.
 */
export function amountUnder(
  policy: Policy,
  { amount, currency }: { readonly amount: unknown; readonly currency: unknown },
): ReturnType<typeof readAmountIn> {
  return readAmountIn(amount, policy, readCurrency(currency, policy));
}

export interface RecordedChains {
  /** Returns the chain if it was loaded and all of its versions still exist. Otherwise returns `undefined`. */
  peek(agent_id: string, version: number, ancestors: string | null): PassportChain | undefined;
  load(agent_id: string, version: number, ancestors: string | null): Promise<PassportChain | undefined>;
}

const MAX_CHAINS = 4_096;
const MAX_VERSIONS = 4_096;

export function createRecordedChains(store: Pick<Store, 'get'>): RecordedChains {
  const chains = createBoundedMap<string, PassportChain | null>(MAX_CHAINS);
  const versions = createBoundedMap<string, PassportRecord | null>(MAX_VERSIONS);

  async function versionOf(agent_id: string, version: number): Promise<PassportRecord | undefined> {
    const id = versionId(agent_id, version);
    const record = versions.get(id);
    if (record !== undefined) return record ?? undefined;
    const foundRecord = (await store.get('passport_versions', id))?.passport;
    versions.set(id, foundRecord ?? null);
    return foundRecord;
  }

  async function read(
    agent_id: string,
    version: number,
    text: string | null,
  ): Promise<PassportChain | undefined> {
    const ownRecord = await versionOf(agent_id, version);
    if (ownRecord === undefined) return undefined;
    const recordsAbove: PassportRecord[] = [];
    let next = ownRecord.parent_agent_id;
    for (const number of (readAncestors(text) ?? []).slice(0, MAX_ANCESTORS)) {
      if (next === undefined) break;
      const record = await versionOf(next, number);
      if (record === undefined) return undefined;
      recordsAbove.push(record);
      next = record.parent_agent_id;
    }
    return passportChain(ownRecord, recordsAbove);
  }

  return {
    peek: (agent_id, version, ancestors) => chains.get(keyOf(agent_id, version, ancestors)) ?? undefined,
    async load(agent_id, version, ancestors) {
      const key = keyOf(agent_id, version, ancestors);
      const knownChain = chains.get(key);
      if (knownChain !== undefined) return knownChain ?? undefined;
      const chain = await read(agent_id, version, ancestors);
      chains.set(key, chain ?? null);
      return chain;
    },
  };
}

function keyOf(agent_id: string, version: number, ancestors: string | null): string {
  return `${agent_id}@${version}${ancestors ?? ''}`;
}
