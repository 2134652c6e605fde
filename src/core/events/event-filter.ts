/** The filter that decides which events a stream carries. */
import { readEventId } from '../../base/bytes/event-position.ts';
import { eventTypesOf } from '../../base/values/event-types.ts';
import { ENVIRONMENTS, EVENT_TYPES } from '../../base/values/vocabulary.ts';
import { type FieldError, refuseAny } from '../../errors.ts';
import type { EventType, IdentityEvent } from '../../records/event.ts';
import type { Environment } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import { agentIdErrors } from '../shared/agent-filter.ts';
import { type Actor, type KeyCaller, readScopeOf } from '../shared/callers.ts';
import { type AgentNamed, agentNamedIn } from '../shared/outbox.ts';

/** A query of events. */
export interface EventQuery {
  /** Event types such as `passport.revoked`, or a group such as `passport.*`; default: every type. */
  readonly types?: readonly string[];
  /** Only events of this agent. Events without an agent are left out. */
  readonly agent_id?: string;
  /** Only events of this environment. Events without an environment are left out. */
  readonly environment?: Environment;
  /** The `id` of the last event that you received. The stream continues after it. Default: the stream begins now. */
  readonly after?: string;
}

/** A query that was checked for a caller. */
export interface EventFilter {
  readonly wantsChanges: boolean;
  readonly wantsOutcomes: boolean;
  readonly verdicts: 'all' | 'ALLOW' | 'DENY' | undefined;
  /** The agent of the query, by which the journal is searched. */
  readonly agent_id: string | undefined;
  readonly environment: Environment | undefined;
  admits(event: IdentityEvent): boolean;
}

/**
 * Creates the filter of a query; throws `invalid_request`. An API key sees its agents and its environment, but no
 * events of keys, accounts, members, webhooks or subjects.
 */
export function createEventFilter(query: EventQuery, actor: Actor): EventFilter {
  refuseAny(errorsOf(query));
  const { agent_id, environment } = query;
  const types = typesOf(query, actor);
  const key = isKey(actor) ? actor : undefined;
  const [isAllowed, isDenied] = [types.has('verdict.allowed'), types.has('verdict.denied')];
  return {
    wantsChanges: [...types].some((type) => !/^(?:verdict|outcome)\./.test(type)),
    wantsOutcomes: [...types].some((type) => type.startsWith('outcome.')),
    verdicts: isAllowed && isDenied ? 'all' : isAllowed ? 'ALLOW' : isDenied ? 'DENY' : undefined,
    agent_id,
    environment,
    admits({ type, data }) {
      if (type === 'events.gap') return true;
      if (!types.has(type)) return false;
      const agent = agentNamedIn(data);
      if (agent_id !== undefined && agent.agent_id !== agent_id) return false;
      if (environment !== undefined && agent.environment !== environment) return false;
      return key === undefined || isOfKey(key, agent);
    },
  };
}

function isOfKey({ agent_ids, environment }: KeyCaller, agent: AgentNamed): boolean {
  if (agent_ids !== null && (agent.agent_id === undefined || !agent_ids.includes(agent.agent_id)))
    return false;
  return agent.environment === undefined || agent.environment === environment;
}

function isKey(actor: Actor): actor is KeyCaller {
  return typeof actor.key_id === 'string' && 'environment' in actor;
}

function typesOf({ types = EVENT_TYPES }: EventQuery, actor: Actor): ReadonlySet<EventType> {
  const askedList = types.flatMap(eventTypesOf);
  const seenList = askedList.filter(
    (type) => !isKey(actor) || !/^(?:key|account|member|webhook|subject)\./.test(type),
  );
  return new Set(seenList.filter((type) => mayRead(actor, type)));
}

function mayRead({ management }: Actor, type: EventType): boolean {
  return management === undefined || management.scopes.includes(readScopeOf(type));
}

function errorsOf({ types, agent_id, environment, after }: EventQuery): readonly FieldError[] {
  const errors = [...agentIdErrors(agent_id)];
  const refuse = (path: string, code: string): void => {
    errors.push({ path, code, message: mustBe(path) });
  };
  if (types !== undefined && (types.length === 0 || types.some((text) => eventTypesOf(text).length === 0)))
    refuse('/types', 'not_allowed');
  if (environment !== undefined && !ENVIRONMENTS.includes(environment)) refuse('/environment', 'not_allowed');
  if (after !== undefined && readEventId(after) === undefined) refuse('/after', 'malformed');
  return errors;
}
