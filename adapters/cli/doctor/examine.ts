import { unsupportedNode } from '../../../src/http/binding.ts';
import type { StorageAdapter } from '../../../src/index.ts';
import { MAX_AHEAD_MS, SECRET_TEXT } from '../../../src/ports/index.ts';
import type { RedisExamination } from '../../storage/redis/index.ts';
import { isOnNetwork, labelOf, openStorage, type StoragePlace } from '../input/storage-url.ts';
import { readSecretFile } from '../input/text-file.ts';
import { preflight } from '../serve/preflight.ts';
import { isExposed, readKeptSecret } from '../serve/secret.ts';
import { describeFailure, type Finding, fail, ok, probeLog, warn } from './finding.ts';
import {
  clockFinding,
  countRecords,
  probeClock,
  probeDurability,
  probeReading,
  probeSubjects,
  probeWriting,
} from './probe.ts';

export interface ExamineOptions {
  readonly version: string;
  readonly place: StoragePlace;
  readonly secretFile?: string | undefined;
}

/**
 * Returns the findings. The checks begin with the program and end with the records. If a check fails, the
 * checks that depend on it are left out.
 */
export async function examine({ version, place, secretFile }: ExamineOptions): Promise<readonly Finding[]> {
  const { findings, hasUsedSecret } = await examineStorage(place);
  return [
    ok('version', `agent-identity-service ${version}`),
    examineRuntime(),
    place.kind === 'memory'
      ? warn('storage', 'memory:', 'Name the storage of your service with --storage.')
      : ok('storage', labelOf(place)),
    await examineSecret(place, secretFile, hasUsedSecret),
    ...findings,
  ];
}

function examineRuntime(): Finding {
  const unsupported = unsupportedNode(process.versions);
  const text = `Node ${process.versions.node}`;
  return unsupported === undefined ? ok('runtime', text) : fail('runtime', text, unsupported);
}

/** Examines the secret that `serve` would use in this environment. The secret is never printed. */
async function examineSecret(
  place: StoragePlace,
  file: string | undefined,
  hasUsedSecret: boolean,
): Promise<Finding> {
  const check = 'secret';
  try {
    const given = file === undefined ? process.env['AGENT_IDENTITY_SECRET'] : await readSecretFile(file);
    const secret = given ?? (await readKeptSecret(place));
    if (secret === undefined) {
      const action = 'Set AGENT_IDENTITY_SECRET or --secret-file, as for serve.';
      if (isOnNetwork(place) || hasUsedSecret)
        return fail(check, 'No signing secret is given here: serve would not start.', action);
      return warn(check, 'No signing secret is given here, and none is kept: serve makes one.', action);
    }
    await preflight({ email: 'doctor@localhost', password: undefined, secret });
    if (given !== undefined) return ok(check, 'A signing secret is given.');
    if (await isExposed(place)) {
      return warn(check, 'Others can read the secret next to the database.', 'chmod 600 it.');
    }
    return ok(check, 'A signing secret is stored next to the database.');
  } catch (error) {
    return fail(check, describeFailure(error), 'Give one of 32 bytes or more, the same on every node.');
  }
}

const MAKE = 'Start agent-identity serve on it once, or name another with --storage.';
const REACH =
  'See that it runs, that its URL and password are right, and that this machine may reach it, or name another with --storage.';

function reachFinding(error: unknown): Finding {
  const text = describeFailure(error);
  return /npm install/.test(text)
    ? fail('packages', text, 'Install them where agent-identity-service is installed.')
    : fail('reach', text, REACH);
}

interface StorageExamination {
  readonly findings: readonly Finding[];
  /** `true` if the storage was used with a signing secret. `serve` then makes no other. */
  readonly hasUsedSecret: boolean;
}

async function examineStorage(place: StoragePlace): Promise<StorageExamination> {
  let findings: readonly Finding[];
  try {
    findings = await inspect(place);
  } catch (error) {
    return { findings: [reachFinding(error)], hasUsedSecret: false };
  }
  // Opening it would create or change tables.
  const isUnusable = findings.some(
    ({ check, status }) => status === 'fail' || (check === 'schema' && status !== 'ok'),
  );
  if (isUnusable) return { findings, hasUsedSecret: false };
  let storage: StorageAdapter;
  try {
    storage = await openStorage(place, { mustExist: true });
  } catch (error) {
    return { findings: [...findings, reachFinding(error)], hasUsedSecret: false };
  }
  try {
    const hasUsedSecret = await hasSecret(storage);
    return { findings: [...findings, ...(await probe(storage, place))], hasUsedSecret };
  } finally {
    await storage.close().catch(() => undefined);
  }
}

async function probe(storage: StorageAdapter, place: StoragePlace): Promise<readonly Finding[]> {
  return [
    await probeDurability(storage),
    ...(isOnNetwork(place) ? [await probeClock(storage)] : []),
    await probeReading(storage),
    await probeWriting(storage),
    await countRecords(storage),
    ...(await probeLog(storage)),
    await probeSubjects(storage),
  ];
}

/** Returns whether the storage knows a signing secret. `probeReading` reports a storage that cannot be read. */
async function hasSecret(storage: StorageAdapter): Promise<boolean> {
  return storage.get('shared_texts', SECRET_TEXT).then(
    (text) => text !== undefined,
    () => false,
  );
}

/** Examines the storage before it is opened, because opening may create missing parts. */
async function inspect(place: StoragePlace): Promise<readonly Finding[]> {
  if (place.kind === 'memory') return [];
  if (place.kind === 'redis') {
    const { examineRedis, inspectRedis } = await import('../../storage/redis/index.ts');
    const findings = redisFindings(await examineRedis({ url: place.url }));
    if (findings.some(({ status }) => status === 'fail')) return findings;
    return [...findings, identityFinding((await inspectRedis({ url: place.url })).hasIdentity)];
  }
  const sql = await import('../../storage/sql/index.ts');
  const found =
    place.kind === 'postgres'
      ? await sql.inspectPostgres({ url: place.url })
      : await sql.inspectSqlite({ file: place.file });
  if (found === undefined) {
    return [
      fail('schema', 'The file is missing, empty, no database, or half-way through a transaction.', MAKE),
    ];
  }
  const schema = schemaFinding(found);
  if (found.version === 0) return [schema];
  const clock = place.kind === 'sqlite' ? [markFinding(found.clockMark)] : [];
  return [schema, identityFinding(found.hasIdentity), ...clock];
}

function schemaFinding({
  version,
  newest,
  oldestUsable,
}: {
  readonly version: number;
  readonly newest: number;
  readonly oldestUsable: number;
}): Finding {
  const check = 'schema';
  if (version === 0) return fail(check, 'There are no tables yet.', MAKE);
  const text = `The tables are of version ${version}; this release makes version ${newest}.`;
  if (version < newest) return warn(check, text, 'The next start of this release upgrades them.');
  if (oldestUsable > newest) return fail(check, text, `Use a release that knows version ${oldestUsable}.`);
  return ok(check, version === newest ? `The tables are of version ${version}, the newest.` : text);
}

function identityFinding(hasIdentity: boolean): Finding {
  if (hasIdentity) return ok('identity', 'The identity of the storage is there.');
  return fail('identity', 'There is no identity: nothing is stored yet, or it was emptied.', MAKE);
}

/**
 * Returns the finding on the clock. A database file has no clock, but contains the latest time that was stored. A clock
 * behind that time is certainly wrong.
 */
function markFinding(mark: string | undefined): Finding {
  if (mark === undefined) return ok('clock', 'The database has not been given a time yet.');
  const ahead = Date.now() - Date.parse(mark);
  if (ahead < 0) return clockFinding(ahead, 'the latest time that the database was given');
  if (ahead <= MAX_AHEAD_MS) return ok('clock', `The database was last given the time at ${mark}.`);
  const detail = `The database was last given the time at ${mark}: nothing is purged until that is confirmed.`;
  return warn('clock', detail, 'If this machine has the right time, start once with serve --clock-ok.');
}

/** The optional Redis commands. Without them, a storage works with limitations. */
const DISPENSABLE: readonly string[] = ['CONFIG GET', 'PUBLISH', 'SUBSCRIBE'];

/**
 * The minimum time before another Redis server becomes the primary. A node stops using a primary 3 s after
 * the primary has lost its replicas. With 6 s, the node stops before the other server takes over.
 */
const MIN_TAKEOVER_MS = 6_000;

function redisFindings(found: RedisExamination): readonly Finding[] {
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
