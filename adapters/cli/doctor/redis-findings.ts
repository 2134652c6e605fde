import type { RedisExamination } from '../../storage/redis/index.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The commands without which a storage works, but less well. */
const DISPENSABLE: readonly string[] = ['CONFIG GET', 'PUBLISH', 'SUBSCRIBE'];

/** The least time that must pass before another server takes over: a node trusts its replicas for 3 s. */
const MIN_TAKEOVER_MS = 6_000;

/** Returns the findings on the servers of a Redis: which they are, the rights of the user, and how they fail over. */
export function redisFindings(found: RedisExamination): readonly Finding[] {
  return [serverFinding(found), commandFinding(found), ...takeoverFindings(found)];
}

function serverFinding({ mode, replicas, connected, namesRuns }: RedisExamination): Finding {
  const kind = mode === 'single' ? 'A single server' : mode === 'cluster' ? 'A cluster' : 'Behind Sentinels';
  const text = `${kind}; ${connected} replicas are connected, and a write waits for ${replicas} of them.`;
  const move =
    mode === 'cluster'
      ? ' A move of a slot that has begun must be finished: SETSLOT STABLE while keys lie on both servers is not supported.'
      : '';
  if (namesRuns) return ok('servers', `${text}${move}`);
  const action = 'A fail-over that lost writes may not be noticed here: prefer a server that names its runs.';
  return warn('servers', `${text} INFO replication has no master_replid.${move}`, action);
}

function commandFinding({ refused, untried, keysRefused, channelsRefused }: RedisExamination): Finding {
  const check = 'commands';
  const patterns = [keysRefused, channelsRefused].filter((pattern) => pattern !== undefined);
  const details = [
    ...(refused.length > 0 ? [`Refused or unknown: ${refused.join(', ')}.`] : []),
    ...(untried.length > 0 ? [`Not tried therefore: ${untried.join(', ')}.`] : []),
    ...(patterns.length > 0 ? [`The user has no access to ${patterns.join(' ')}.`] : []),
  ];
  if (details.length === 0) return ok(check, 'Every command that is needed was tried.');
  const detail = details.join(' ');
  if (refused.some((command) => !DISPENSABLE.includes(command)))
    return fail(check, detail, 'Allow them to the user of the storage URL, or take a server that has them.');
  if (refused.length === 0)
    return warn(check, detail, 'Add it to the ACL of the user, so that everything can be tried.');
  const action =
    'Allow them: without CONFIG GET the durability is not known, and without the channel changes of other nodes are seen within a second.';
  return warn(check, detail, action);
}

function takeoverFindings({ mode, replicas, takeover }: RedisExamination): readonly Finding[] {
  if (mode === 'single') return [];
  const { downAfterMs, quorum, sentinels, readsWhenDown } = takeover;
  const name = mode === 'cluster' ? 'cluster-node-timeout' : 'down-after-milliseconds';
  const flaws = [
    ...(replicas > 0 && downAfterMs !== undefined && downAfterMs < MIN_TAKEOVER_MS
      ? [`${name} is ${downAfterMs}, and must be ${MIN_TAKEOVER_MS} or more.`]
      : []),
    ...(quorum !== undefined && sentinels !== undefined && quorum * 2 <= sentinels
      ? [`The quorum is ${quorum} of ${sentinels} Sentinels, and must be most of them.`]
      : []),
    ...(sentinels !== undefined && sentinels < 3 ? [`There are ${sentinels} Sentinels, and must be 3.`] : []),
    ...(readsWhenDown === true ? ['cluster-allow-reads-when-down is yes, and must be no.'] : []),
    ...(downAfterMs === undefined ? [`${name} cannot be read.`] : []),
  ];
  if (flaws.length === 0) return [ok('failover', `${name} is ${downAfterMs}.`)];
  const action =
    'Set it so: else a primary that is cut off may answer with a state older than a second, during a partition.';
  return [warn('failover', flaws.join(' '), action)];
}
