import { parseAgentId } from '../../base/values/agent-id.ts';
import { elementsOf } from '../../base/values/plain-data.ts';
import type { Environment, Scope } from '../../records.ts';
import type { Actor } from './callers.ts';
import { accountOf, authorOf, type Context } from './context.ts';

/** A caller that reads spends and approvals: an account, or a key with its environment, agents and scopes. */
export interface SpendCaller extends Actor {
  /** The environment of the key; absent: both environments. */
  readonly environment?: Environment;
  /** The scopes of the key; absent: all scopes. */
  readonly scopes?: readonly Scope[];
}

interface Owned {
  readonly account_id: string;
  readonly environment: Environment;
  readonly agent_id: string;
}

/** Returns `true` if the actor may use the agent, by its list of agents and its list of domains. */
export function isWithin({ agent_ids = null, management }: Actor, agentId: string): boolean {
  const { domains = null } = management ?? {};
  if (agent_ids !== null && !elementsOf(agent_ids).includes(agentId)) return false;
  return domains === null || domains.includes(parseAgentId(agentId, { allowLocalhost: true })?.domain ?? '');
}

/** Returns `true` if the actor may use the domain, by its list of domains and the domains of its agents. */
export function isDomainWithin({ agent_ids = null, management }: Actor, domain: string): boolean {
  const { domains = null } = management ?? {};
  const isOfAgent = (agentId: unknown): boolean =>
    parseAgentId(`${agentId}`, { allowLocalhost: true })?.domain === domain;
  if (agent_ids !== null && !elementsOf(agent_ids).some(isOfAgent)) return false;
  return domains === null || domains.includes(domain);
}

/** Returns `true` if the actor is limited to some agents or domains. */
export function isBound({ agent_ids = null, management }: Actor): boolean {
  return agent_ids !== null || (management?.domains ?? null) !== null;
}

/** Returns the person who made a change. For a management key, this is the member who created the key. */
export function personBehind(context: Pick<Context, 'session'>, actor: Actor): string | null {
  return actor.management === undefined ? authorOf(context, actor) : actor.management.person;
}

/**
 * Returns `true` if the caller may see the record. A service without logins belongs to one application, so a
 * caller that names no account may see all records.
 */
export function isSeen(context: Pick<Context, 'session'>, record: Owned, caller: SpendCaller): boolean {
  const { environment } = caller;
  const account_id =
    'account_id' in caller || context.session !== undefined ? accountOf(context, caller) : undefined;
  if (account_id !== undefined && record.account_id !== account_id) return false;
  if (environment !== undefined && record.environment !== environment) return false;
  return isWithin(caller, record.agent_id);
}
