import { randomBytes } from 'node:crypto';
import {
  type ChangeNotice,
  type Deadlines,
  IdentityError,
  type TimedCall,
} from '../../../src/ports/index.ts';
import type { KeyvReader, RedisArgument, RedisPackages, ReplyTexts } from './client.ts';
import type { RedisConnection } from './connection.ts';
import { replyCodeOf } from './errors.ts';
import { hasAll, listIncarnations } from './incarnations.ts';
import { identityKey, writeCounterKey } from './keys.ts';
import { readMessage } from './notice.ts';
import { defineScript, LOST_IDENTITY, type Script, WENT_BACK } from './script.ts';

/** Sends a command and returns the answer of Redis. */
export type Send = RedisConnection['send'];

/** Runs a script and returns its answer, with texts as strings or as bytes. */
export type Evaluate = (script: Script, args: readonly RedisArgument[], as?: ReplyTexts) => Promise<unknown>;

/**
 * A namespace that is checked to be the store that was opened, with every write that was acknowledged or announced to
 * this node. INVARIANT: the same round trip that returns an answer returns the write counter of the store, whose key
 * contains its identity. The call rejects if the write counter is missing, or is behind the one known when the call
 * was sent.
 */
export interface GuardedStore {
  readonly namespace: string;
  /** Reads the text under a key with one command through Keyv; `undefined` if there is no text. */
  read<Result>(key: string, parse: (text: string) => Result): Promise<Result | undefined>;
  /** Runs scripts, and sends commands that use no key. All of them share one deadline. */
  run<Result>(call: (evaluate: Evaluate, send: Send) => Promise<Result>): Promise<Result>;
  /** Parses a message of the channel; 'foreign' if it is about another store. */
  readNotice(message: string): ChangeNotice | undefined | 'foreign';
}

/** The location of a store, and its time limit. */
export interface GuardedStoreOptions {
  readonly deadlines: Deadlines;
  readonly packages: RedisPackages;
  readonly connection: RedisConnection;
  readonly namespace: string;
  readonly timeoutMs: number;
}

/**
 * Opens the store, and makes its identity if nothing is stored yet. Rejects if other keys are there but the identity is
 * not.
 */
export async function openGuardedStore(options: GuardedStoreOptions): Promise<GuardedStore> {
  const { connection, namespace, deadlines, timeoutMs } = options;
  const keyv = createReader(options);
  const key = identityKey(namespace);

  const onLate = ({ end }: TimedCall): void => connection.suspect(end - timeoutMs);

  const limited = limitBy(options, onLate);
  const identity = await limited((send) => openIdentity(send, namespace));
  const reached = writeCounterKey(namespace, identity);
  /** The highest write counter that was seen on the incarnation `current` or on earlier ones. */
  let known = 0;
  let current: string | undefined;
  /**
   * `true` once the write counter went back within an incarnation. Only a restored copy does that: it stays refused,
   * even if it catches up.
   */
  let hasGoneBack = false;

  function see(writeCounter: number, before: number): void {
    if (writeCounter < before) hasGoneBack = true;
    if (hasGoneBack) throw wentBack();
    known = Math.max(known, writeCounter);
  }

  async function evaluateGuarded(send: Send, ...[script, args, as]: Parameters<Evaluate>): Promise<unknown> {
    const before = known;
    try {
      const given = [key, `${identity} ${before}`, ...args];
      const [writeCounter, answer] = (await evaluate(send, script, given, as)) as [number, unknown];
      see(Number(writeCounter), before);
      return answer;
    } catch (error) {
      const code = replyCodeOf(error);
      if (code === WENT_BACK) hasGoneBack = true;
      if (code === WENT_BACK || code === LOST_IDENTITY)
        throw code === WENT_BACK ? wentBack() : lostIdentity();
      throw error;
    }
  }

  await limited(() =>
    connection.judgeBy(async (incarnation, send) => {
      const writeCounter = known;
      // The write counter is not compared here: `hasAll` decides for this incarnation, which must not refuse another one.
      const answer = await evaluate(send, listIncarnations, [key, `${identity} 0`, incarnation]).catch(
        (error: unknown) => {
          throw replyCodeOf(error) === LOST_IDENTITY ? lostIdentity() : error;
        },
      );
      if (!hasAll((answer as readonly unknown[])[1], current, writeCounter)) throw wentBack();
      current = incarnation;
    }),
  );

  return {
    namespace,
    async read(wanted, parse) {
      const before = known;
      const [writeCounter, text] = await deadlines.limit(() => keyv.getMany([reached, wanted]), onLate);
      if (writeCounter === undefined) throw lostIdentity();
      see(Number(writeCounter), before);
      return text === undefined ? undefined : parse(text);
    },
    run: (call) =>
      limited((send) => {
        const guarded: Evaluate = (...asked) => {
          if (hasGoneBack) return Promise.reject(wentBack());
          return evaluateGuarded(send, ...asked);
        };
        return call(guarded, send);
      }),
    readNotice(message) {
      const read = readMessage(message);
      if (read !== undefined && read.identity !== identity) return 'foreign';
      if (read?.incarnation === current) known = Math.max(known, read?.writeCounter ?? 0);
      return read?.notice;
    },
  };
}

/** Makes a function that runs calls, whose commands can be sent until the deadline. */
function limitBy({ connection, deadlines }: GuardedStoreOptions, onLate: (timed: TimedCall) => void) {
  return <Result>(call: (send: Send) => Promise<Result>): Promise<Result> =>
    deadlines.limit((timed) => {
      const send: Send = async (args, as) => {
        if (timed.isLate) throw new Error('The call has been given up.');
        return connection.send(args, as);
      };
      return call(send);
    }, onLate);
}

/** Reads the identity of a namespace, and makes it if nothing is stored yet. */
async function openIdentity(send: Send, namespace: string): Promise<string> {
  const identity = await evaluate(send, open, [identityKey(namespace), randomBytes(16).toString('hex')]);
  if (identity !== '') return String(identity);
  throw new IdentityError(
    'invalid_configuration',
    `Redis holds records of the namespace ${namespace}, but not their identity: some were lost. Restore it, or remove them.`,
  );
}

/** Makes a Keyv over the current connection. It does not connect by itself, and stores no wrapper around values. */
function createReader({ packages, connection }: GuardedStoreOptions): KeyvReader {
  const client = {
    isOpen: true,
    connect() {},
    on() {},
    // An object skips Keyv's `deserialize`, which every text would pass (4.2 -> 3.4 us in Keyv).
    mGet: async (keys: readonly string[]) => {
      const texts = (await connection.send(['MGET', ...keys])) as readonly (string | null)[];
      return texts.map((value) => (value === null ? undefined : { value }));
    },
  };
  const store = new packages.KeyvRedis(client, { throwOnErrors: true, throwOnConnectError: true });
  const keyv = new packages.Keyv(store, {
    throwOnErrors: true,
    useKeyPrefix: false,
    namespace: '',
  });
  keyv.on('error', () => {});
  return keyv;
}

async function evaluate(send: Send, ...[{ sha, text }, args, as]: Parameters<Evaluate>): Promise<unknown> {
  try {
    return await send(['EVALSHA', sha, '1', ...args], as);
  } catch (error) {
    if (replyCodeOf(error) !== 'NOSCRIPT') throw error;
    return send(['EVAL', text, '1', ...args], as);
  }
}

function wentBack(): Error {
  return new Error(
    'Redis is older than this node has seen it: a write that was acknowledged is not there any more.',
  );
}

function lostIdentity(): Error {
  return new Error(
    'Redis has lost what this storage keeps: it was flushed, or is another database or server.',
  );
}

/**
 * Returns the identity, or '' if it is missing although something is stored. Every store with records has one of these
 * keys, so the script checks no others.
 */
const open = defineScript(`
  local identity = redis.call('GET', KEYS[1])
  local function begin(given)
    local counter_key = prefix .. 'position:' .. given
    if redis.call('EXISTS', counter_key) == 0 then redis.call('SET', counter_key, '0') end
    return given
  end
  if identity then return begin(identity) end
  for _, name in ipairs({
    'list:accounts', 'list:sessions', 'list:keys', 'list:passports', 'list:passport_versions', 'list:domains',
    'list:idempotency', 'expiry:counters', 'journal:writers', 'journal:age', 'series', 'runs', 'shared'
  }) do
    if redis.call('EXISTS', prefix .. name) == 1 then return '' end
  end
  redis.call('SET', KEYS[1], ARGV[1])
  return begin(ARGV[1])`);
