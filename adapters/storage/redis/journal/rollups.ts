import type { Environment, Resolution } from '../../../../src/ports/index.ts';
import { joinNames } from '../keys.ts';

export interface RollupsOf {
  readonly account_id: string;
  readonly environment: Environment;
  readonly agent_id: string;
}

/**
 * Returns a function that gives the name of a series by its resolution. A series has the rollups of an
 * account, environment and agent in one resolution.
 *
 * - `starts:{series}` is a sorted set of the starts of its rollups.
 * - `rollup:{series}:{start}` is a hash with the counts, by `kind:key`.
 * - `series` is a sorted set of all series, by their oldest start.
 * - `rollups:changed` is the number of merges and purges that have changed a rollup.
 */
export function seriesNames({
  account_id,
  environment,
  agent_id,
}: RollupsOf): (resolution: Resolution) => string {
  const [first, last] = [joinNames(account_id, environment), joinNames(agent_id)];
  return (resolution) => `${first}:${resolution}:${last}`;
}
