/** Reads the current state of the passports that a verifier has cached. */
import { turn } from '../base/async/turns.ts';
import { MAX_ANCESTORS } from '../base/values/field-limits.ts';
import { parseInstant } from '../base/values/instant.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import { toStoredPassport } from '../core/passports/passport-record.ts';
import type { KeyCaller } from '../core/shared/callers.ts';
import { jsonBytes } from '../core/shared/pages.ts';
import type { Caches, KnownPassport } from '../core/storage/caches.ts';
import { type FieldError, pointer } from '../errors.ts';
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
  since: number,
): Promise<void> {
  const ids = Object.keys(agents).slice(0, PIECE);
  await Promise.allSettled(ids.map((id) => passports.confirmed(id, since)));
}

export async function readState(
  { passports: cache }: Pick<Caches, 'passports'>,
  agents: ConfirmInput['agents'],
  { account_id, agent_ids }: KeyCaller,
  since: number,
): Promise<ReadState> {
  let asOf = Number.POSITIVE_INFINITY;

  async function look(id: string): Promise<KnownPassport | undefined> {
    const found = await cache.confirmed(id, since);
    asOf = Math.min(asOf, found.asOf);
    return found.value;
  }

  async function find(agentId: string): Promise<NamedAgent> {
    const own = await look(agentId);
    if (own === undefined || !isSeenBy({ account_id, agent_ids }, own.prepared))
      return { agentId, chain: [] };
    const chain = [own];
    for (let next = own.parent_agent_id; next !== undefined && chain.length <= MAX_ANCESTORS; ) {
      const above = await look(next);
      if (above === undefined) break;
      chain.push(above);
      next = above.parent_agent_id;
    }
    return { agentId, chain };
  }

  const ids = Object.keys(agents);
  const named: NamedAgent[] = [];
  for (let from = 0; from < ids.length; from += PIECE) {
    if (from > 0) await turn();
    named.push(...(await Promise.all(ids.slice(from, from + PIECE).map(find))));
  }
  const seen = new Set(named.flatMap(({ chain }) => chain.map(({ agent_id }) => agent_id)));
  return { ...fill(agents, named), asOf, seen };
}

function fill(
  agents: ConfirmInput['agents'],
  named: readonly NamedAgent[],
): Pick<ConfirmedPassports, 'passports' | 'unread'> {
  const passports: Record<string, Passport | null> = Object.create(null);
  const unread = new Set<string>();
  const shown = new Map(named.flatMap(({ chain }) => chain.map((one) => [one.agent_id, one] as const)));
  let bytes = 0;
  let isFull = false;

  function add({ agentId, chain }: NamedAgent): void {
    const fresh = chain.filter(
      (one) => !(one.agent_id in passports) && !isAsKnown(agents[one.agent_id], one),
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
    const above = shown.get(agentId);
    if (above === undefined) {
      if (agents[agentId] !== '') passports[agentId] = null;
      return;
    }
    if (!(agentId in passports) && !isAsKnown(agents[agentId], above)) unread.add(agentId);
  }

  for (const one of named) add(one);
  for (const { agentId, chain } of named) if (chain.length === 0) addUnseen(agentId);
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
  return Object.entries(Object(agents)).flatMap(([id, known]) => {
    if (known === null || known === '' || (typeof known === 'string' && isVersion(known))) return [];
    const message = 'Say `<version> <updated_at>`, "" for an agent that is absent, or null.';
    return [{ path: `/agents${pointer(id)}`, code: 'invalid', message }];
  });
}

function isVersion(known: string): boolean {
  const [, , updated = ''] = KNOWN.exec(known) ?? [];
  return parseInstant(updated) !== undefined;
}

export function knownVersion(known: string): number {
  return Number(KNOWN.exec(known)?.[1] ?? 0);
}

/**
 * Returns `true` if the passport equals the known passport. Compares the instant too, because the same version may be
 * written again after a backup was restored.
 */
function isAsKnown(known: Knowledge | undefined, passport: KnownPassport): boolean {
  return known === `${passport.version} ${passport.updated_at}`;
}
