/** Lists passports: by status, by domain, or the child agents of an agent. */

import { createBoundedMap } from '../../base/bounded-map.ts';
import { isDomain, isSetName, parseAgentId } from '../../base/values/agent-id.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { PASSPORT_STATUSES, statusAt } from '../../base/values/passport-status.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { type FieldError, refuseAny } from '../../errors.ts';
import { type BlockView, openBlock } from '../../journal-format/index.ts';
import type { Block } from '../../ports/journal.ts';
import type { Change } from '../../ports/storage.ts';
import type { Instant, Page, Passport, PassportStatus } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import type { Actor, CallOptions } from '../shared/callers.ts';
import { accountOf, type Context, now } from '../shared/context.ts';
import { limitErrors, type PageRequest, readPage } from '../shared/pages.ts';
import { type ListReader, recordsBy, recordsExpiredBy } from '../shared/record-lists.ts';
import { isBound, isWithin } from '../shared/seen.ts';
import { daysBefore, unusedErrors } from '../shared/unused.ts';
import { answered } from '../storage/step-groups.ts';
import { notWritten } from '../storage/store.ts';
import type { PassportRecord } from './collections.ts';
import { toPassport } from './passport-record.ts';

/** Selects passports by filters, and one page of the result. */
export interface PassportQuery extends PageRequest {
  /** The present status of the passports. */
  readonly status?: PassportStatus;
  /** The domain of the passports. */
  readonly domain?: string;
  /** The parent agent of the passports. */
  readonly parent_agent_id?: string;
  /** The name of the file set that manages the passports. */
  readonly managed_by?: string;
  /** The owner of the passports. */
  readonly owner?: string;
  /** Only passports that are older than this number of days, 1 to 365, and were not used in these days. */
  readonly unused_days?: number;
}

/** Lists passports, newest first. With the status `expired`, passports are listed by their expiry, the latest first. */
export async function listPassports(
  context: Pick<Context, 'store' | 'caches' | 'clock' | 'seal' | 'session' | 'allowLocalhost'>,
  query: PassportQuery,
  options: Actor & CallOptions,
): Promise<Page<Passport>> {
  const { status, domain, parent_agent_id, managed_by, owner, unused_days, ...page } = query;
  const filter = { status, domain, parent_agent_id, managed_by, owner, unused_days };
  refuseAny([...filterErrors(filter, context), ...limitErrors(page.limit)]);
  const account_id = accountOf(context, options);
  const instant = now(context);
  const seenMap = new Map<string, Instant>();
  const cutoff = unused_days === undefined ? undefined : daysBefore(context, unused_days);
  // An agent may have been seen at the end of its hour.
  const seenBefore = cutoff === undefined ? '' : formatInstant(Date.parse(cutoff) - RESOLUTION_MS.hour);
  const list = {
    query: [
      'passports',
      account_id,
      status,
      domain,
      parent_agent_id,
      managed_by,
      owner,
      cutoff && `${unused_days}`,
    ],
    show: (record: PassportRecord) => withSighting(toPassport(record, instant), seenMap),
  };
  const keep = (record: PassportRecord): boolean =>
    isWithin(options, record.id) &&
    (status === undefined || statusAt(record, instant) === status) &&
    (domain === undefined || record.domain === domain) &&
    (parent_agent_id === undefined || record.parent_agent_id === parent_agent_id) &&
    (managed_by === undefined || record.managed_by === managed_by) &&
    (owner === undefined || record.owner === owner) &&
    (cutoff === undefined || (record.created_at < cutoff && (seenMap.get(record.id) ?? '') <= seenBefore));
  if (status === 'expired' && domain === undefined && parent_agent_id === undefined) {
    const expiredReader = withSightings(
      context,
      seenMap,
      recordsExpiredBy(context.store, 'passports', instant, { account_id }),
    );
    return readPage(context, { ...list, ...expiredReader, keep }, page, options);
  }
  const listFilter = listedBy(filter);
  const records = recordsBy(context.store, 'passports', { account_id, ...listFilter });
  const source = { ...list, ...withSightings(context, seenMap, records) };
  const values = Object.values(filter).filter((value) => value !== undefined);
  const isAll = Object.keys(listFilter).length === values.length;
  const isWhole = isAll && status === undefined && !isBound(options);
  return readPage(context, isWhole ? source : { ...source, keep }, page, options);
}

function withSightings<Place>(
  context: Pick<Context, 'store' | 'clock'>,
  seenMap: Map<string, Instant>,
  reader: ListReader<PassportRecord, Place>,
): ListReader<PassportRecord, Place> {
  return {
    ...reader,
    async read(limit, position) {
      const piece = await reader.read(limit, position);
      const sightings = await readSightings(
        context,
        piece.records.map(({ id }) => id),
      );
      for (const [id, instant] of sightings) seenMap.set(id, instant);
      return piece;
    },
  };
}

type Filter = {
  readonly [Field in Exclude<keyof PassportQuery, keyof PageRequest>]: PassportQuery[Field] | undefined;
};

/** Returns the filter for the index of the storage: the field that the fewest passports match. */
function listedBy({ status, domain, parent_agent_id }: Filter): Readonly<Record<string, string>> {
  if (parent_agent_id !== undefined) return { parent_agent_id };
  if (domain !== undefined) return { domain };
  // Only these two are final in the store; the others depend on the time as well.
  return status === 'revoked' || status === 'suspended' ? { status } : {};
}

function filterErrors(
  { status, domain, parent_agent_id, managed_by, owner, unused_days }: Filter,
  { allowLocalhost }: Pick<Context, 'allowLocalhost'>,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (path: string, code: string) => errors.push({ path, code, message: mustBe(path) });
  if (status !== undefined && !PASSPORT_STATUSES.some((knownStatus) => knownStatus === status))
    refuse('/status', 'not_allowed');
  if (domain !== undefined && !isDomain(domain, { allowLocalhost })) refuse('/domain', 'malformed');
  if (parent_agent_id !== undefined && parseAgentId(parent_agent_id, { allowLocalhost }) === undefined)
    refuse('/parent_agent_id', 'malformed');
  if (managed_by !== undefined && !isSetName(managed_by)) refuse('/managed_by', 'malformed');
  if (owner !== undefined && (typeof owner !== 'string' || owner === '')) refuse('/owner', 'malformed');
  errors.push(...unusedErrors(unused_days));
  return errors;
}

// Stores for each agent the hour of its newest verdict. The hour is in a counter, so storing it does not
// change the version of the passport.

interface Sightings {
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
