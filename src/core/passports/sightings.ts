/**
 * Stores for each agent the hour of its newest verdict. The hour is in a counter, so storing it does not change the
 * version of the passport.
 */
import { createBoundedMap } from '../../base/bounded-map.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { type BlockView, openBlock } from '../../journal-format/index.ts';
import type { Block } from '../../ports/journal.ts';
import type { Change } from '../../ports/storage.ts';
import type { Instant, Passport } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import { answered } from '../storage/step-groups.ts';
import { notWritten } from '../storage/store.ts';

export interface Sightings {
  note(blocks: readonly Block[]): void;
  close(): Promise<void>;
}

/** The number of days for which the hour of an agent is kept. */
const KEPT_DAYS = 400;
const MAX_AGENTS = 20_000;
const MAX_ACCOUNTS = 1_000;
const AT_ONCE = 100;

/** Returns the name of the counter of an agent. Its value is a number of hours since the Unix epoch. */
export function sightingCounter(agent_id: string): string {
  return `seen:${agent_id}`;
}

export function createSightings({ store, clock }: Pick<Context, 'store' | 'clock'>): Sightings {
  const notedMap = createBoundedMap<string, number>(MAX_AGENTS);
  /**
   * The filter of the last block of an account, if the hour of every agent in that block is stored. A later block with
   * the same filter most likely has the same agents, and is skipped.
   */
  const settledMap = createBoundedMap<string, { readonly hour: number; readonly filter: Uint8Array }>(
    MAX_ACCOUNTS,
  );
  let running: Promise<void> = Promise.resolve();

  async function write(someHours: readonly (readonly [agent_id: string, hour: number])[]): Promise<void> {
    const present = clock.now();
    const instant = formatInstant(present);
    const expires_at = formatInstant(present + KEPT_DAYS * RESOLUTION_MS.day);
    const { values } = answered(
      await store.write(...someHours.map(([agent_id]) => lookAt(agent_id, instant))),
    );
    const rises = someHours.flatMap(([agent_id, hour], place): Change[] => {
      const delta = hour - (values[place] ?? 0);
      if (delta <= 0) return [];
      const counter = sightingCounter(agent_id);
      return [{ op: 'add', counter, by: delta, max: hour, at: instant, expires_at, renew: true }];
    });
    // Another node that was first makes a sum greater than `max`, and the write notes nothing: each is written alone.
    if (rises.length > 0 && !answered(await store.write(...rises)).written && rises.length > 1)
      for (const rise of rises) await store.write(rise);
    for (const [agent_id, hour] of someHours) notedMap.set(agent_id, hour);
  }

  async function noteAll(seenHours: ReadonlyMap<string, number>): Promise<void> {
    const entries = [...seenHours];
    for (let start = 0; start < entries.length; start += AT_ONCE) {
      try {
        await write(entries.slice(start, start + AT_ONCE));
      } catch {
        // The storage is down: a later block of the agents notes them.
      }
    }
  }

  /** Adds to `fresh` the hours of the agents in a block that are newer than the known hours. */
  function addNewHours(view: BlockView, fresh: Map<string, number>): void {
    for (const [agent_id, hour] of hoursIn(view)) {
      const knownHour = Math.max(notedMap.get(agent_id) ?? 0, fresh.get(agent_id) ?? 0);
      if (hour > knownHour) fresh.set(agent_id, hour);
    }
  }

  return {
    note(blocks) {
      const fresh = new Map<string, number>();
      const present = Math.floor(clock.now() / RESOLUTION_MS.hour);
      for (const block of blocks) {
        // Most blocks name the same agents as the block before: they are not opened.
        const knownBlock = settledMap.get(block.account_id);
        if (knownBlock?.hour === present && isSameFilter(knownBlock.filter, block.filter)) continue;
        const view = openBlock(block.data, block.erasable);
        if (view.agents.texts.every((agent_id) => (notedMap.get(agent_id) ?? 0) >= present)) {
          settledMap.set(block.account_id, { hour: present, filter: block.filter });
          continue;
        }
        addNewHours(view, fresh);
      }
      if (fresh.size > 0) running = running.then(() => noteAll(fresh));
    },
    close: () => running,
  };
}

function isSameFilter(bytes: Uint8Array, otherBytes: Uint8Array): boolean {
  return bytes.length === otherBytes.length && bytes.every((byte, place) => byte === otherBytes[place]);
}

/** Returns the newest hour of each agent in a block. Leaves out dry runs and agents that were not found. */
function hoursIn({ length, agents, times, contexts, versions }: BlockView): ReadonlyMap<string, number> {
  const hours = new Map<string, number>();
  for (let place = 0; place < length; place += 1) {
    if (contexts.values[contexts.numbers[place] ?? 0]?.dry_run || versions[place] === 0) continue;
    const agent_id = agents.texts[agents.numbers[place] ?? 0] ?? '';
    const hour = Math.floor((times[place] ?? 0) / RESOLUTION_MS.hour);
    if (hour > (hours.get(agent_id) ?? 0)) hours.set(agent_id, hour);
  }
  return hours;
}

export async function readSightings(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  agent_ids: readonly string[],
): Promise<ReadonlyMap<string, Instant>> {
  const instant = formatInstant(clock.now());
  const seenInstants = new Map<string, Instant>();
  for (let start = 0; start < agent_ids.length; start += AT_ONCE) {
    const agentIds = agent_ids.slice(start, start + AT_ONCE);
    const looks = agentIds.map((id) => lookAt(id, instant));
    const { written, values } = answered(await store.write(...looks));
    if (!written) throw notWritten();
    for (const [place, id] of agentIds.entries()) {
      const hour = values[place] ?? 0;
      if (hour > 0) seenInstants.set(id, formatInstant(hour * RESOLUTION_MS.hour));
    }
  }
  return seenInstants;
}

function lookAt(agent_id: string, instant: Instant): Change {
  return { op: 'add', counter: sightingCounter(agent_id), by: 0, at: instant };
}

export function withSighting(passport: Passport, seenInstants: ReadonlyMap<string, Instant>): Passport {
  const last_seen_at = seenInstants.get(passport.agent_id);
  return last_seen_at === undefined ? passport : { ...passport, last_seen_at };
}
