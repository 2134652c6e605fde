import { elementsOf } from '../../base/values/plain-data.ts';
import type { Environment, Scope } from '../../records.ts';
import type { Actor } from './callers.ts';
import { accountOf, type Context } from './context.ts';

/** Who reads spends and approvals: an account, or a key of it, which is bound to its environment, agents and scopes. */
export interface SpendCaller extends Actor {
  /** Only what is of this environment; absent: of both. */
  readonly environment?: Environment;
  /** Of a key; absent: every scope. */
  readonly scopes?: readonly Scope[];
}

/** Whose a record is. */
interface Owned {
  readonly account_id: string;
  readonly environment: Environment;
  readonly agent_id: string;
}

/** Whether the caller sees the record. The host of a service without logins sees all of them. */
export function isSeen(context: Context, record: Owned, caller: SpendCaller): boolean {
  const { environment, agent_ids } = caller;
  const account_id =
    'account_id' in caller || context.tokens !== undefined ? accountOf(context, caller) : undefined;
  if (account_id !== undefined && record.account_id !== account_id) return false;
  if (environment !== undefined && record.environment !== environment) return false;
  return agent_ids === undefined || agent_ids === null || elementsOf(agent_ids).includes(record.agent_id);
}
