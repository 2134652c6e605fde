/** Reads the current state of the passports that a verifier has cached. */

import { turn } from '../base/async/turns.ts';
import { createBoundedMap } from '../base/bounded-map.ts';
import { MAX_ANCESTORS } from '../base/values/field-limits.ts';
import { parseInstant } from '../base/values/instant.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { toStoredPassport } from '../core/passports/passport-record.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import type { Context } from '../core/shared/context.ts';
import { jsonBytes } from '../core/shared/pages.ts';
import type { Caches, KnownPassport } from '../core/storage/caches.ts';
import { type FieldError, pointer } from '../errors.ts';
import type { CollectionName } from '../ports/stored-records.ts';
import type { ConfirmedPassports, ConfirmInput } from '../records/verifier.ts';
import type { Passport } from '../records.ts';
import { isSeenBy } from '../verdict/decide.ts';

const MAX_BYTES = 1_000_000;
/** The number of agents that are read together before the event loop may run other work. */
const PIECE = 20;

/** The passports of an answer, and an instant by the monotonic clock at which all of them had this state. */
export interface ReadState extends Pick<ConfirmedPassports, 'passports' | 'unread'> {
  readonly asOf: number;
  readonly seen: ReadonlySet<string>;
}

interface NamedAgent {
  readonly agentId: string;
  /** The passports of the agent and its ancestors. Empty if the API key does not see the agent. */
  readonly chain: readonly KnownPassport[];
}

/**
 * Begins to read the first agents, so that `readState` finds them in memory. Ignores errors of these reads,
 * because `readState` reads again and reports its own errors.
 */
export async function readAhead(
  { passports }: Pick<Caches, 'passports'>,
  agents: ConfirmInput['agents'],
  sinceMs: number,
): Promise<void> {
  const ids = Object.keys(agents).slice(0, PIECE);
  await Promise.allSettled(ids.map((id) => passports.confirmed(id, sinceMs)));
}

export async function readState(
  { passports: cache }: Pick<Caches, 'passports'>,
  agents: ConfirmInput['agents'],
  { account_id, agent_ids }: KeyCaller,
  sinceMs: number,
): Promise<ReadState> {
  let asOf = Number.POSITIVE_INFINITY;

  async function look(id: string): Promise<KnownPassport | undefined> {
    const confirmation = await cache.confirmed(id, sinceMs);
    asOf = Math.min(asOf, confirmation.asOf);
    return confirmation.value;
  }

  async function find(agentId: string): Promise<NamedAgent> {
    const ownPassport = await look(agentId);
    if (ownPassport === undefined || !isSeenBy({ account_id, agent_ids }, ownPassport.prepared))
      return { agentId, chain: [] };
    const chain = [ownPassport];
    for (let next = ownPassport.parent_agent_id; next !== undefined && chain.length <= MAX_ANCESTORS; ) {
      const passportAbove = await look(next);
      if (passportAbove === undefined) break;
      chain.push(passportAbove);
      next = passportAbove.parent_agent_id;
    }
    return { agentId, chain };
  }

  const ids = Object.keys(agents);
  const namedAgents: NamedAgent[] = [];
  for (let start = 0; start < ids.length; start += PIECE) {
    if (start > 0) await turn();
    namedAgents.push(...(await Promise.all(ids.slice(start, start + PIECE).map(find))));
  }
  const seenIds = new Set(namedAgents.flatMap(({ chain }) => chain.map(({ agent_id }) => agent_id)));
  return { ...fill(agents, namedAgents), asOf, seen: seenIds };
}

function fill(
  agents: ConfirmInput['agents'],
  namedAgents: readonly NamedAgent[],
): Pick<ConfirmedPassports, 'passports' | 'unread'> {
  const passports: Record<string, Passport | null> = Object.create(null);
  const unread = new Set<string>();
  const shownPassports = new Map(
    namedAgents.flatMap(({ chain }) => chain.map((passport) => [passport.agent_id, passport] as const)),
  );
  let bytes = 0;
  let isFull = false;

  function add({ agentId, chain }: NamedAgent): void {
    const fresh = chain.filter(
      (passport) => !(passport.agent_id in passports) && !isAsKnown(agents[passport.agent_id], passport),
    );
    // The size of what does not fit is not looked at: 200 passports may have 13 MB.
    if (isFull) {
      if (fresh.length > 0) unread.add(agentId);
      return;
    }
    const records = fresh.map(({ prepared }) => toStoredPassport(recordOf(prepared.passport)));
    const size = records.reduce((sum, record) => sum + jsonBytes(record), 0);
    isFull = bytes > 0 && bytes + size > MAX_BYTES;
    if (isFull) {
      unread.add(agentId);
      return;
    }
    bytes += size;
    for (const record of records) passports[record.agent_id] = record;
  }

  /** Adds an agent that the API key does not see, unless it is an ancestor of an agent that the key sees. */
  function addUnseen(agentId: string): void {
    const passportAbove = shownPassports.get(agentId);
    if (passportAbove === undefined) {
      if (agents[agentId] !== '') passports[agentId] = null;
      return;
    }
    if (!(agentId in passports) && !isAsKnown(agents[agentId], passportAbove)) unread.add(agentId);
  }

  for (const agent of namedAgents) add(agent);
  for (const { agentId, chain } of namedAgents) if (chain.length === 0) addUnseen(agentId);
  return { passports, unread: [...unread] };
}

/**
 * Returns the stored fields of a cached passport. The cached passport has its id as `id` and `agent_id`, but
 * stored passports have only `id`.
 */
function recordOf(passport: object): PassportRecord {
  const { agent_id: _, ...record } = passport as PassportRecord & { readonly agent_id: string };
  return record;
}

/** The state of an agent that the sender knows. `null`: unknown. `''`: the agent is absent. */
type Knowledge = ConfirmInput['agents'][string];

const KNOWN = /^([1-9]\d{0,14}) (\S{1,40})$/;

export function knowledgeErrors({ agents }: Readonly<Record<string, unknown>>): readonly FieldError[] {
  return Object.entries(Object(agents)).flatMap(([id, knownValue]) => {
    if (knownValue === null || knownValue === '' || (typeof knownValue === 'string' && isVersion(knownValue)))
      return [];
    const message = 'Say `<version> <updated_at>`, "" for an agent that is absent, or null.';
    return [{ path: `/agents${pointer(id)}`, code: 'invalid', message }];
  });
}

function isVersion(knownText: string): boolean {
  const [, , updatedText = ''] = KNOWN.exec(knownText) ?? [];
  return parseInstant(updatedText) !== undefined;
}

export function knownVersion(knownText: string): number {
  return Number(KNOWN.exec(knownText)?.[1] ?? 0);
}

/**
 * Returns `true` if the passport equals the known passport. Compares the instant too, because the same version may be
 * written again after a backup was restored.
 */
function isAsKnown(knowledge: Knowledge | undefined, passport: KnownPassport): boolean {
  return knowledge === `${passport.version} ${passport.updated_at}`;
}

// Lets a request wait for changes of cached records if nothing is new.

interface Watched {
  readonly collection: CollectionName;
  readonly id: string;
}

interface ChangeWait {
  /** The records for which every notice ends the wait. */
  readonly records: readonly Watched[];
  /** The agents for which a notice ends the wait only if `isSeen` resolves to `true`. */
  readonly hidden: readonly string[];
  readonly isSeen: (agentId: string) => Promise<boolean>;
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ChangeWaits {
  hasNewer(agentId: string, version: number): boolean;
  /**
   * Resolves at the first notice that ends the wait, if the signal is aborted, after `end`, or after `ms` milliseconds.
   */
  change(wait: ChangeWait): Promise<void>;
  wake(record: Watched): void;
  end(): void;
}

/**
 * The milliseconds for which a notice is remembered. Otherwise a change between two requests would be missed until the
 * next notice.
 */
const REMEMBERED_MS = 2_000;
const LEAST_REMEMBERED = 10_000;

interface LastNotice {
  readonly version: number;
  readonly at: number;
}

export function createChangeWaits({
  caches,
  awaitedAfter,
}: Pick<Context, 'caches' | 'awaitedAfter'>): ChangeWaits {
  const latest = createBoundedMap<string, LastNotice>(LEAST_REMEMBERED);
  const waiting = new Map<string, Set<() => void>>();
  const callbacks = new Set<() => void>();
  let unwatch: (() => void) | undefined;
  let isEnded = false;

  function listen(): void {
    unwatch ??= caches.watch((notice) => {
      if (notice === undefined) {
        wake(callbacks);
        return;
      }
      const { collection, id, version } = notice;
      // A version that is not known may be any.
      const newest = version === 0 ? Number.POSITIVE_INFINITY : version;
      if (collection === 'passports') latest.set(id, { version: newest, at: caches.monotonic() });
      const woken = waiting.get(nameOf(notice));
      if (woken !== undefined) wake(woken);
    });
  }

  return {
    hasNewer(agentId, version) {
      listen();
      const notice = latest.get(agentId);
      return (
        notice !== undefined && notice.version > version && caches.monotonic() - notice.at < REMEMBERED_MS
      );
    },

    change({ records, hidden, isSeen, ms, signal }) {
      listen();
      if (isEnded || signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const callbacksByName = new Map<string, () => void>(records.map((record) => [nameOf(record), done]));
        for (const id of hidden) callbacksByName.set(nameOf({ collection: 'passports', id }), () => look(id));
        const cancel = awaitedAfter(ms, done);
        function done(): void {
          cancel();
          callbacks.delete(done);
          signal?.removeEventListener('abort', done);
          for (const [name, wakeUp] of callbacksByName) {
            const waiters = waiting.get(name);
            waiters?.delete(wakeUp);
            if (waiters?.size === 0) waiting.delete(name);
          }
          resolve();
        }
        // INVARIANT: a change of an agent that the key does not see ends no wait: its time would show the agent.
        function look(id: string): void {
          isSeen(id).then(
            (isNow) => isNow && done(),
            () => undefined,
          );
        }
        callbacks.add(done);
        signal?.addEventListener('abort', done);
        for (const [name, wakeUp] of callbacksByName) {
          const waiters = waiting.get(name) ?? new Set();
          waiting.set(name, waiters.add(wakeUp));
        }
      });
    },

    wake(record) {
      wake(waiting.get(nameOf(record)) ?? []);
    },

    end() {
      isEnded = true;
      unwatch?.();
      wake(callbacks);
    },
  };
}

function wake(woken: Iterable<() => void>): void {
  for (const callback of [...woken]) callback();
}

function nameOf({ collection, id }: Watched): string {
  return `${collection} ${id}`;
}
