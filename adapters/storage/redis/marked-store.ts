import { randomBytes } from 'node:crypto';
import type { Deadlines, TimedCall } from '../../../src/deadlines.ts';
import { IdentityError } from '../../../src/index.ts';
import type { KeyvReader, RedisPackages } from './client.ts';
import type { RedisConnection } from './connection.ts';
import { replyCodeOf } from './errors.ts';
import { markerKey } from './keys.ts';
import { defineScript, LOST_MARKER, type Script } from './script.ts';

/** The answer of Redis to a command. */
export type Send = RedisConnection['send'];

/** The answer of a script to its arguments. */
export type Evaluate = (script: Script, args: readonly string[]) => Promise<unknown>;

/**
 * A namespace that is known to be the one that was opened. INVARIANT: every answer comes with the marker, in the
 * same round trip; where it is not the one that was there at the opening, the call rejects, whatever else is there.
 */
export interface MarkedStore {
  readonly namespace: string;
  /** What the text under a key says, by one command through Keyv; `undefined` where there is none. */
  read<Result>(key: string, parse: (text: string) => Result): Promise<Result | undefined>;
  /** Runs scripts, and sends commands that touch no key, until the deadline, which is one for all of them. */
  run<Result>(call: (evaluate: Evaluate, send: Send) => Promise<Result>): Promise<Result>;
}

/** Where the store is, and how long a call may take. */
export interface MarkedStoreOptions {
  readonly deadlines: Deadlines;
  readonly packages: RedisPackages;
  readonly connection: RedisConnection;
  readonly namespace: string;
  readonly timeoutMs: number;
}

/** The store with its marker, which is made where nothing is stored yet; rejects where it should be but is not. */
export async function openMarkedStore(options: MarkedStoreOptions): Promise<MarkedStore> {
  const { connection, namespace, deadlines, timeoutMs } = options;
  const keyv = createReader(options);
  const key = markerKey(namespace);

  const onLate = ({ end }: TimedCall): void => connection.suspect(end - timeoutMs);

  function limited<Result>(call: (send: Send) => Promise<Result>): Promise<Result> {
    return deadlines.limit((timed) => {
      const send: Send = async (args) => {
        if (timed.isLate) throw new Error('The call has been given up.');
        return connection.send(args);
      };
      return call(send);
    }, onLate);
  }

  const opening = await limited((send) => evaluate(send, open, [key, randomBytes(16).toString('hex')]));
  if (opening === '') {
    throw new IdentityError(
      'invalid_configuration',
      `Redis holds records of the namespace ${namespace}, but not their marker: some were lost. Restore it, or remove them.`,
    );
  }
  const marker = String(opening);

  return {
    namespace,
    async read(wanted, parse) {
      const [found, text] = await deadlines.limit(() => keyv.getMany([key, wanted]), onLate);
      if (found !== marker) throw lostMarker();
      return text === undefined ? undefined : parse(text);
    },
    run: (call) =>
      limited((send) => {
        const guarded: Evaluate = async (script, args) => {
          try {
            return await evaluate(send, script, [key, marker, ...args]);
          } catch (error) {
            throw replyCodeOf(error) === LOST_MARKER ? lostMarker() : error;
          }
        };
        return call(guarded, send);
      }),
  };
}

/** Keyv over the connection as it is at the time; it neither connects nor wraps what is stored. */
function createReader({ packages, connection }: MarkedStoreOptions): KeyvReader {
  const client = {
    isOpen: true,
    connect() {},
    on() {},
    // Each text would wait for Keyv's `deserialize`; rows that are no texts do not (4.2 -> 3.4 us in Keyv).
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

async function evaluate(send: Send, { sha, text }: Script, args: readonly string[]): Promise<unknown> {
  try {
    return await send(['EVALSHA', sha, '1', ...args]);
  } catch (error) {
    if (replyCodeOf(error) !== 'NOSCRIPT') throw error;
    return send(['EVAL', text, '1', ...args]);
  }
}

function lostMarker(): Error {
  return new Error(
    'Redis has lost what this storage keeps: it was flushed, or is another database or server.',
  );
}

/**
 * The marker, or '' where there is none although something is stored. Whatever holds records has one of these
 * keys, so no other need be looked for.
 */
const open = defineScript(`
  local marker = redis.call('GET', KEYS[1])
  if marker then return marker end
  local prefix = string.sub(KEYS[1], 1, -#'marker' - 1)
  for _, name in ipairs({
    'list:accounts', 'list:sessions', 'list:keys', 'list:passports', 'list:passport_versions', 'list:domains',
    'list:idempotency', 'expiry:counters', 'journal', 'journal:batches', 'series'
  }) do
    if redis.call('EXISTS', prefix .. name) == 1 then return '' end
  end
  redis.call('SET', KEYS[1], ARGV[1])
  return ARGV[1]`);
