import type { Environment, Resolution } from '../../../../src/ports/index.ts';
import { joinNames } from '../keys.ts';

export interface RollupsOf {
  readonly account_id: string;
  readonly environment: Environment;
  readonly agent_id: string;
}

/**
 * Returns the names of the series of an account, environment and agent, by resolution. `starts:{series}` has the starts
 * of its rollups in order. A hash for each start has the counts, by `kind:key`. `series` has every series by its oldest
 * start. `rollups:changed` counts the merges and purges that have changed a rollup.
 */
export function seriesNames({
  account_id,
  environment,
  agent_id,
}: RollupsOf): (resolution: Resolution) => string {
  const [first, last] = [joinNames(account_id, environment), joinNames(agent_id)];
  return (resolution) => `${first}:${resolution}:${last}`;
}
