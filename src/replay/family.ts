/** Finds the agents of a replay: the requested agent, all its descendants, and its ancestors. */

import { rollingSeconds, windowAt } from '../base/values/budget-window.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { ancestorsOf } from '../core/passports/issue-passport.ts';
import { assertWithin } from '../core/passports/passport-store.ts';
import type { CallOptions } from '../core/shared/callers.ts';
import { type Actor, assertWanted } from '../core/shared/callers.ts';
import type { Context } from '../core/shared/context.ts';
import { wrongField } from '../errors.ts';
import { MAX_BLOCK_SPAN_MS, type Position } from '../ports/journal.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { Environment } from '../records.ts';
import { type PassportChain, passportChain } from './chains.ts';
import { CLOCKS_MS } from './counters.ts';

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
