import type { Environment, Resolution } from '../../../../src/ports/index.ts';
import { joinNames } from '../keys.ts';

/**
 * The rollups of one account, environment, resolution and agent. `starts:{series}` has their starts in order, and
 * a hash for each start its counts, by `kind:key`; `series` has every series by its oldest start. `rollups:changed`
 * counts the merges and purges that have changed some.
 */
export function seriesName(of: {
  readonly account_id: string;
  readonly environment: Environment;
  readonly resolution: Resolution;
  readonly agent_id: string;
}): string {
  return joinNames(of.account_id, of.environment, of.resolution, of.agent_id);
}
