import { createHash, randomBytes } from 'node:crypto';
import { type Deadlines, knownOptions, type OptionNames } from '../../../src/ports/index.ts';
import { askAll, isAnswered } from './ask.ts';
import { loadRedis, type RedisPackages, type Send } from './client.ts';
import { connectTo, type RedisConnection, redisDeadlines } from './connection.ts';
import { startError } from './errors.ts';
import type { InspectedRedis } from './inspect.ts';
import { changesChannel, identityKey } from './keys.ts';
import { FIND_MS, type RedisMode } from './locate.ts';
import { DEFAULT_NAMESPACE } from './open.ts';
import { countReplicas } from './replicas.ts';
import { readServer } from './server.ts';
import { readRedisUrl } from './url.ts';

/** The result of testing everything that a storage needs from its servers. */
export interface RedisExamination {
  readonly mode: RedisMode;
  /**
   * The number of replicas that must have a write before it is acknowledged. `connected` is the number of connected
   * replicas.
   */
  readonly replicas: number;
  readonly connected: number;
  /**
   * The commands that the server does not know or refuses to this user. The names are in capitals, such as `CONFIG
   * GET`.
   */
  readonly refused: readonly string[];
  /** The commands that could not be tested, because they require a command in `refused`. */
  readonly untried: readonly string[];
  /**
   * The pattern of the keys that the examination uses, if the user has no access to them. `channelsRefused` is the
   * pattern of such channels.
   */
  readonly keysRefused?: string;
  readonly channelsRefused?: string;
  /** `true` if the server reports `master_replid`, which identifies its incarnations. */
  readonly namesRuns: boolean;
  /** The settings that decide when another server takes over, as far as they are readable. */
  readonly takeover: RedisTakeover;
}

/** The settings of a cluster, or of Sentinels. For Sentinels, each value is the lowest of all that answer. */
export interface RedisTakeover {
  /** The value of `down-after-milliseconds` or `cluster-node-timeout`. */
  readonly downAfterMs?: number;
  /** The quorum and the number of Sentinels. */
  readonly quorum?: number;
  readonly sentinels?: number;
  /** The value of `cluster-allow-reads-when-down`: `true` if a server answers reads although the cluster is down. */
  readonly readsWhenDown?: boolean;
}

/** The commands that scripts use and that create no key, with test arguments. */
const SCRIPTED: Readonly<Record<string, readonly string[]>> = {
  TIME: [],
  GET: ['$'],
  SET: ['$', '1', 'XX'],
  DEL: ['$'],
  EXISTS: ['$'],
  STRLEN: ['$'],
  INCRBY: ['$', 'x'],
  DECRBY: ['$', 'x'],
  GETRANGE: ['$', '0', '0'],
  GETBIT: ['$', '0'],
  HGET: ['$', 'f'],
  HMGET: ['$', 'f'],
  HDEL: ['$', 'f'],
  HGETALL: ['$'],
  HKEYS: ['$'],
  HVALS: ['$'],
  HSCAN: ['$', '0'],
  LINDEX: ['$', '0'],
  LRANGE: ['$', '0', '0'],
  LTRIM: ['$', '0', '0'],
  ZADD: ['$', 'XX', '0', 'm'],
  ZREM: ['$', 'm'],
  ZCARD: ['$'],
  ZSCORE: ['$', 'm'],
  ZSCAN: ['$', '0'],
  ZRANGE: ['$', '0', '0'],
  ZRANGEBYLEX: ['$', '-', '+'],
  ZRANGEBYSCORE: ['$', '0', '0'],
  ZREVRANGEBYLEX: ['$', '+', '-'],
  ZLEXCOUNT: ['$', '-', '+'],
  PUBLISH: ['#', 'doctor'],
};

/** The commands that create a key, with test arguments. The script then deletes the key with `DEL`. */
const CREATING: Readonly<Record<string, readonly string[]>> = {
  INCR: ['$'],
  HSET: ['$', 'f', '1'],
  HSETNX: ['$', 'f', '1'],
  RPUSH: ['$', '1'],
};

/**
 * Lua that runs the commands of ARGV[2]. If the user may call `DEL`, it then runs the commands of ARGV[3].
 *
 * Both are JSON lists of a name and arguments. In them, `$` stands for a key that is not named in KEYS, and `#` for the
 * channel ARGV[1]. It returns the names of the refused and untested commands, and whether keys or channels were
 * refused. It does nothing while a cluster moves the slot.
 */
const TRY_ALL = `
  local prefix = string.sub(KEYS[1], 1, -#'marker' - 1)
  local key, refused, untried, keys, channels = prefix .. 'doctor', {}, {}, 0, 0
  local function is_refused(err)
    return string.find(err, "can't run this command") or string.find(err, 'no permissions to run')
      or string.find(string.lower(err), 'unknown redis command') or string.find(err, 'unknown command')
  end
  local moves = redis.pcall('EXISTS', prefix .. 'never')
  if type(moves) == 'table' and not is_refused(moves.err) and string.find(moves.err, 'non local') then return moves end
  local function run(command)
    local words = {}
    for i = 2, #command do
      words[i - 1] = command[i] == '$' and key or command[i] == '#' and ARGV[1] or command[i]
    end
    local answer = redis.pcall(command[1], unpack(words))
    local err = type(answer) == 'table' and answer.err
    if not err then return true end
    if string.find(err, 'channel') then channels = 1 return false end
    if string.find(err, 'access') then keys = 1 return false end
    if is_refused(err) then refused[#refused + 1] = command[1] return false end
    return true
  end
  for _, command in ipairs(cjson.decode(ARGV[2])) do run(command) end
  local may_delete = run({ 'DEL', '$' })
  if not may_delete then refused[#refused] = nil end
  for _, command in ipairs(cjson.decode(ARGV[3])) do
    if may_delete then
      run(command)
      redis.pcall('DEL', key)
    else
      untried[#untried + 1] = command[1]
    end
  end
  return { refused, untried, keys, channels }`;

const TIMEOUT_MS = 5_000;
const OPTIONS: OptionNames<InspectedRedis> = { url: true, namespace: true, timeoutMs: true };

/**
 * Tests everything that a storage needs from its servers, in the namespace `<namespace>.doctor`. It leaves no keys
 * there.
 *
 * @throws {IdentityError} `invalid_configuration` if the servers in the URL cannot be used together.
 * @throws {IdentityError} `storage_unavailable` if no primary can be reached with this URL.
 */
export async function examineRedis(options: InspectedRedis): Promise<RedisExamination> {
  const redis = knownOptions('examineRedis', options, OPTIONS);
  const { url, timeoutMs = TIMEOUT_MS } = redis;
  const namespace = `${redis.namespace ?? DEFAULT_NAMESPACE}.doctor`;
  const packages = await loadRedis();
  const deadlines = redisDeadlines(timeoutMs);
  let connection: RedisConnection | undefined;
  try {
    connection = await connectTo(packages, { url, namespace, timeoutMs });
    return await examine({ url, namespace, packages, deadlines, connection });
  } catch (error) {
    throw startError(error);
  } finally {
    connection?.close();
  }
}

interface Parts {
  readonly url: string;
  readonly namespace: string;
  readonly packages: RedisPackages;
  readonly deadlines: Deadlines;
  readonly connection: RedisConnection;
}

async function examine(parts: Parts): Promise<RedisExamination> {
  const { namespace, deadlines, connection } = parts;
  const { mode, replicas } = connection;
  const send: Send = (...args) => deadlines.limit(() => connection.send(...args));
  const info = await send(['INFO', 'replication']);
  const [direct, trial, subscribes, takeover] = [
    await refusedOf(send, directCommands(namespace, replicas)),
    await tryScripts(send, namespace),
    await trySubscribe(parts),
    await readTakeover(parts, send),
  ];
  const isScripted = !direct.includes('EVAL');
  const refusals = [...direct, ...trial.refused, ...(subscribes === 'refused' ? ['SUBSCRIBE'] : [])];
  const list = [...Object.keys(SCRIPTED), ...Object.keys(CREATING)];
  return {
    mode,
    replicas,
    connected: countReplicas(info),
    takeover,
    refused: [...new Set(refusals)].sort(),
    untried: isScripted ? trial.untried : list,
    ...(trial.keysRefused && { keysRefused: `~{${namespace}}:*` }),
    ...((trial.channelsRefused || subscribes === 'channel') && { channelsRefused: `&{${namespace}}:*` }),
    namesRuns: readServer(info).incarnation !== '',
  };
}

function directCommands(
  namespace: string,
  replicas: number,
): readonly (readonly [name: string, words: readonly string[]])[] {
  const key = identityKey(namespace);
  const unknown = createHash('sha1').update(randomBytes(16)).digest('hex');
  return [
    ['PING', ['PING']],
    ['CONFIG GET', ['CONFIG', 'GET', 'appendonly']],
    ['MGET', ['MGET', key, `${key} other`]],
    ['EVAL', ['EVAL', 'return 1', '0']],
    ['EVALSHA', ['EVALSHA', unknown, '0']],
    ...(replicas > 0 ? [['WAIT', ['WAIT', '0', '1']] as const] : []),
  ];
}

async function refusedOf(
  send: Send,
  commands: readonly (readonly [name: string, words: readonly string[]])[],
): Promise<readonly string[]> {
  const refusedNames: string[] = [];
  for (const [name, words] of commands) {
    await send(words).catch((error: unknown) => {
      if (isRefused(error)) refusedNames.push(name);
    });
  }
  return refusedNames;
}

/**
 * Says whether a server refuses or does not know a command. A refusal because of the keys or other arguments does not
 * count.
 */
function isRefused(error: unknown): boolean {
  return /no permissions to run|unknown command|unknown subcommand/i.test(String(Object(error).message));
}

interface Tried {
  readonly refused: readonly string[];
  readonly untried: readonly string[];
  readonly keysRefused: boolean;
  readonly channelsRefused: boolean;
}

async function tryScripts(send: Send, namespace: string): Promise<Tried> {
  const listOf = (commands: Readonly<Record<string, readonly string[]>>): string =>
    JSON.stringify(Object.entries(commands).map(([name, words]) => [name, ...words]));
  const words = [identityKey(namespace), changesChannel(namespace), listOf(SCRIPTED), listOf(CREATING)];
  try {
    const answer = (await send(['EVAL', TRY_ALL, '1', ...words])) as [string[], string[], number, number];
    const [refused, untried, keys, channels] = answer;
    return { refused, untried, keysRefused: keys === 1, channelsRefused: channels === 1 };
  } catch (error) {
    const keysRefused = /access (?:one|at least one) of the keys/.test(String(Object(error).message));
    if (!keysRefused && !isRefused(error)) throw error;
    return { refused: [], untried: [], keysRefused, channelsRefused: false };
  }
}

async function trySubscribe({
  connection,
  deadlines,
  namespace,
}: Parts): Promise<'ok' | 'refused' | 'channel'> {
  const sibling = connection.createSibling();
  const { client } = sibling;
  try {
    await deadlines.limit(async () => {
      await client.connect();
      await client.subscribe(changesChannel(namespace), () => {});
    });
    return 'ok';
  } catch (error) {
    if (isRefused(error)) return 'refused';
    if (/channels/.test(String(Object(error).message))) return 'channel';
    throw error;
  } finally {
    sibling.close();
  }
}

async function readTakeover({ url, packages, connection }: Parts, send: Send): Promise<RedisTakeover> {
  if (connection.mode === 'single') return {};
  if (connection.mode === 'sentinel') return readSentinels(url, packages);
  const read = async (name: string): Promise<string | undefined> => {
    const answer = await send(['CONFIG', 'GET', name]).catch(() => undefined);
    return Array.isArray(answer) && typeof answer[1] === 'string' ? answer[1] : undefined;
  };
  const timeout = await read('cluster-node-timeout');
  const reads = await read('cluster-allow-reads-when-down');
  return {
    ...(timeout !== undefined && { downAfterMs: Number(timeout) }),
    ...(reads !== undefined && { readsWhenDown: reads === 'yes' }),
  };
}

async function readSentinels(url: string, packages: RedisPackages): Promise<RedisTakeover> {
  const place = readRedisUrl(url);
  const args = ['SENTINEL', 'MASTER', place.sentinel ?? ''];
  const question = { packages, place, args, limitMs: FIND_MS };
  const answers = await askAll(place.addresses, question, { usualMs: FIND_MS, isEnough: () => false });
  const lists = answers.filter(isAnswered).map(({ answer }) => readPairs(answer));
  const leastOf = (name: string): number | undefined => {
    const values = lists.map((pairs) => Number(pairs.get(name))).filter((value) => !Number.isNaN(value));
    return values.length === 0 ? undefined : Math.min(...values);
  };
  const [downAfterMs, quorum] = [leastOf('down-after-milliseconds'), leastOf('quorum')];
  const otherCount = leastOf('num-other-sentinels');
  return {
    ...(downAfterMs !== undefined && { downAfterMs }),
    ...(quorum !== undefined && { quorum }),
    ...(otherCount !== undefined && { sentinels: otherCount + 1 }),
  };
}

function readPairs(answer: unknown): ReadonlyMap<string, string> {
  const words = Array.isArray(answer) ? answer.map(String) : [];
  return new Map(words.flatMap((word, i) => (i % 2 === 0 ? [[word, words[i + 1] ?? ''] as const] : [])));
}
