/**
 * The passports with which a record is evaluated: the passport of its agent and of its ancestors. Their current states,
 * such as suspended, do not count.
 */

import { createBoundedMap } from '../base/bounded-map.ts';
import { rollingSeconds, windowAt } from '../base/values/budget-window.ts';
import { MAX_ANCESTORS } from '../base/values/field-limits.ts';
import { evaluatedPassport } from '../core/passports/change-between.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { ancestorsOf } from '../core/passports/issue-passport.ts';
import { versionId } from '../core/passports/passport-record.ts';
import { assertWithin } from '../core/passports/passport-store.ts';
import { standingState } from '../core/passports/sound-passport.ts';
import { type Actor, assertWanted, type CallOptions } from '../core/shared/callers.ts';
import type { Context } from '../core/shared/context.ts';
import type { Store } from '../core/storage/store.ts';
import { wrongField } from '../errors.ts';
import { readAncestors } from '../journal-format/index.ts';
import { MAX_BLOCK_SPAN_MS, type Position } from '../ports/journal.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { Environment } from '../records.ts';
import type { PolicyBudget } from '../verdict/budgets.ts';
import { type PreparedPassport, prepare } from '../verdict/index.ts';
import { type Policy, readAmountIn, readCurrency } from '../verdict/policy.ts';
import { preparationOf } from '../verdict/prepare.ts';
import { REQUIREMENTS } from '../verdict/proof.ts';
import { hasBudgets, hasConditions, hasHistory, wantsApproval } from '../verdict/takings.ts';
import { CLOCKS_MS } from './counters.ts';

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
function passportChain(ownRecord: PassportRecord, recordsAbove: readonly PassportRecord[]): PassportChain {
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

// Finds the agents of a replay: the requested agent, all its descendants, and its ancestors.

export interface Family {
  readonly root: PassportRecord;
  /** The passports of the requested agent and all its descendants, by `agent_id`. */
  readonly members: ReadonlyMap<string, PassportRecord>;
  readonly above: readonly PassportRecord[];
}

const MAX_BELOW = 1_000;

export async function findFamily(
  context: Pick<Context, 'store'>,
  root: PassportRecord,
  { signal, ...actor }: Actor & CallOptions,
): Promise<Family> {
  const members = new Map([[root.id, root]]);
  for (const parent of members.values()) {
    for await (const child of childrenOf(context, parent, signal)) {
      members.set(child.id, child);
      if (members.size > MAX_BELOW + 1) {
        const message = `A replay covers at most ${MAX_BELOW} agents below. Replay one of these.`;
        throw wrongField('/agent_id', 'too_many', message);
      }
    }
  }
  const recordsAbove = await ancestorsOf(context, root);
  assertWithin(actor, [...members.values(), ...recordsAbove]);
  return { root, members, above: recordsAbove };
}

async function* childrenOf(
  { store }: Pick<Context, 'store'>,
  { id, account_id }: PassportRecord,
  signal: AbortSignal | undefined,
): AsyncGenerator<PassportRecord, void> {
  const filter = { account_id, parent_agent_id: id };
  for (let positionAfter: Position | undefined; ; ) {
    assertWanted(signal);
    const page = await store.list('passports', {
      where: filter,
      limit: MAX_PAGE_SIZE,
      ...(positionAfter && { after: positionAfter }),
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < MAX_PAGE_SIZE) return;
    positionAfter = { created_at: last.created_at, id: last.id };
  }
}

export function currentChains(
  { root, members, above }: Family,
  changedRecord: PassportRecord = root,
): ReadonlyMap<string, PassportChain> {
  const recordOf = (id: string): PassportRecord | undefined =>
    id === root.id ? changedRecord : members.get(id);
  return new Map(
    [...members.keys()].map((id) => {
      const ownRecord = recordOf(id) as PassportRecord;
      const betweenRecords: PassportRecord[] = [];
      let record = ownRecord;
      while (record.id !== root.id) {
        record = recordOf(record.parent_agent_id ?? '') as PassportRecord;
        betweenRecords.push(record);
      }
      return [id, passportChain(ownRecord, [...betweenRecords, ...above])] as const;
    }),
  );
}

export interface LostRecords {
  /** The instant of the last lost record, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly count: number;
}

/** Returns the earliest start of a budget window of these passports that contains `begin`. */
export function windowsFrom(passports: readonly PassportRecord[], begin: number): number {
  let first = begin;
  for (const { budgets = [], created_at } of passports) {
    for (const { window } of budgets) {
      if (rollingSeconds(window) !== undefined) continue;
      // Before its creation a passport has spent nothing.
      const start = windowAt(window, begin)?.start ?? Number.NEGATIVE_INFINITY;
      first = Math.min(first, Math.max(start, Date.parse(created_at)));
    }
  }
  return first;
}

interface KnownRecords {
  readonly from: number;
  readonly lost: readonly LostRecords[];
  readonly isRecorded: boolean;
}

export function knownWindows(
  { members, above }: Family,
  { from, lost, isRecorded }: KnownRecords,
): (agent_id: string, start: number, end: number) => boolean {
  const creations = new Map(
    [...members.values(), ...above].map(({ id, created_at }) => [id, Date.parse(created_at)]),
  );
  // What an agent above had shown before it was changed says nothing about its budgets of today.
  const changes = new Map(
    isRecorded
      ? []
      : above.map(({ id, version, updated_at }) => [
          id,
          version === 1 ? 0 : Date.parse(updated_at) + CLOCKS_MS,
        ]),
  );
  return (agent_id, start, end) => {
    const begin = Math.max(start, creations.get(agent_id) ?? start);
    if (begin < from || begin < (changes.get(agent_id) ?? Number.NEGATIVE_INFINITY)) return false;
    // Lost records are reported with the time of the last of them.
    return lost.every(({ at }) => at < begin || at - MAX_BLOCK_SPAN_MS >= end);
  };
}

export function lostIn(
  drops: readonly { readonly at_ms: number; readonly environment: Environment; readonly count: number }[],
  environment: Environment,
): readonly LostRecords[] {
  return drops
    .filter((drop) => drop.environment === environment)
    .map(({ at_ms, count }) => ({ at: at_ms, count }));
}
