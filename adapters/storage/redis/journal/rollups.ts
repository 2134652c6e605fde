import type { Environment, Resolution } from '../../../../src/ports/index.ts';
import { joinNames } from '../keys.ts';

/** The identity of a series of rollups, in each resolution. */
export interface RollupsOf {
  readonly account_id: string;
  readonly environment: Environment;
  readonly agent_id: string;
}

/**
 * The rollups of one account, environment, resolution and agent. `starts:{series}` has their starts in order, and
 * a hash for each start its counts, by `kind:key`; `series` has every series by its oldest start. `rollups:changed`
 * counts the merges and purges that have changed some.
 */
export function seriesNames({
  account_id,
  environment,
  agent_id,
}: RollupsOf): (resolution: Resolution) => string {
  const [first, last] = [joinNames(account_id, environment), joinNames(agent_id)];
  return (resolution) => `${first}:${resolution}:${last}`;
}
