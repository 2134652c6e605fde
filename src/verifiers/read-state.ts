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
