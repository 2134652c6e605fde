/** The parents of agents: checks a new parent, and reads the ancestors of a passport. */
import { formatAgentId } from '../../base/values/agent-id.ts';
import { mustBe } from '../../base/values/expected.ts';
import { MAX_ANCESTORS } from '../../base/values/field-limits.ts';
import { invalidRequest } from '../../errors.ts';
import type { Context } from '../shared/context.ts';
import type { PassportFields, PassportRecord } from './collections.ts';

const PATH = '/parent_agent_id';

/**
 * Throws `invalid_request` for a parent that is unknown, of another account or revoked, or that has too many ancestors.
 * A parent exists before its child and never changes, so that no agent is its own ancestor. A passport that `isMoved`
 * here may have a revoked parent, as where it comes from: under it the agent may do nothing.
 */
export async function assertParent(
  context: Context,
  fields: PassportFields,
  { account_id, isMoved }: { readonly account_id: string; readonly isMoved: boolean },
): Promise<void> {
  const { parent_agent_id } = fields;
  if (parent_agent_id === undefined) return;
  const refuse = (message: string) => invalidRequest([{ path: PATH, code: 'not_allowed', message }]);
  const parent =
    parent_agent_id === formatAgentId(fields)
      ? undefined
      : await context.store.get('passports', parent_agent_id);
  // A passport of another account looks like one that does not exist.
  const isRefused = parent?.status === 'revoked' && !isMoved;
  if (parent?.account_id !== account_id || isRefused) throw refuse(mustBe(PATH));
  const above = await ancestorsOf(context, parent);
  if (above.length >= MAX_ANCESTORS)
    throw refuse(`An agent has at most ${MAX_ANCESTORS} above it: this one has ${above.length} itself.`);
}

/** Reads the passports of the ancestors, nearest first. The list ends at a missing one. */
export async function ancestorsOf(
  { store }: Context,
  { parent_agent_id }: Pick<PassportRecord, 'parent_agent_id'>,
): Promise<readonly PassportRecord[]> {
  const found: PassportRecord[] = [];
  let next = parent_agent_id;
  while (next !== undefined && found.length < MAX_ANCESTORS) {
    const record = await store.get('passports', next);
    if (record === undefined) break;
    found.push(record);
    next = record.parent_agent_id;
  }
  return found;
}
