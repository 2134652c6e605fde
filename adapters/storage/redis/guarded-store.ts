import { randomBytes } from 'node:crypto';
import {
  type ChangeNotice,
  type Deadlines,
  IdentityError,
  type TimedCall,
} from '../../../src/ports/index.ts';
import type { KeyvReader, RedisPackages, Send } from './client.ts';
import type { RedisConnection } from './connection.ts';
import { type Evaluate, evaluate, inEitherForm } from './evaluate.ts';
import { createGuard, lostIdentity, wentBack } from './guard.ts';
import { identityKey, writeCounterKey } from './keys.ts';
import { readMessage } from './notice.ts';
import { assertWaits } from './replicas.ts';
import { defineScript } from './script.ts';

/**
 * A namespace that every call checks. The namespace must be the opened store, with every write that was acknowledged or
 * announced to this node.
 *
 * INVARIANT: each answer arrives with the write counter of the store. The key of this counter contains the identity of
 * the store. The call rejects if the write counter is missing. The call also rejects if the write counter is behind the
 * counter that was known when the call was sent.
 */
export interface GuardedStore {
  readonly namespace: string;
  /**
   * Reads the text under a key with one command through Keyv; `undefined` if there is no text. With `confirmed`, the
   * text is returned only after enough replicas have all writes up to it.
   */
  read<Result>(key: string, parse: (text: string) => Result, how?: 'confirmed'): Promise<Result | undefined>;
  /**
   * Runs scripts, and sends commands that use no key, under one deadline. The signal is checked right before each
   * command is sent. After an abort, nothing is sent. A new server is checked first, because this check may abort the
   * signal.
   */
  run<Result>(
    call: (evaluate: Evaluate, send: Send) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** Parses a message of the channel. Returns 'foreign' if it is about another store. */
  readNotice(message: string): ChangeNotice | undefined | 'foreign';
}

export interface GuardedStoreOptions {
  readonly deadlines: Deadlines;
  readonly packages: RedisPackages;
  readonly connection: RedisConnection;
  readonly namespace: string;
  readonly timeoutMs: number;
}

/** Opens the store, and creates its identity if it is empty. Rejects if other keys exist without an identity. */
export async function openGuardedStore(options: GuardedStoreOptions): Promise<GuardedStore> {
  const { connection, namespace, deadlines, timeoutMs } = options;
  const keyv = createReader(options);
  const key = identityKey(namespace);

  const onLate = ({ end }: TimedCall): void => connection.suspect(end - timeoutMs);

  const limitedCall = limitBy(options, onLate);
  await limitedCall((send) => assertWaits(send, connection.replicas));
  const identity = await limitedCall((send) => openIdentity(send, namespace));
  const counterKey = writeCounterKey(namespace, identity);
  const guard = createGuard({ connection, key, identity });
  const { sure, see, hasGoneBack } = guard;
  await limitedCall(() => connection.checkBy(guard));

  return {
    namespace,
    async read(wantedKey, parse, how) {
      const valueBefore = sure.value;
      const [writeCounter, text] = await deadlines.limit(async (timedCall) => {
        const texts = await keyv.getMany([counterKey, wantedKey]);
        // There is nothing to confirm in a store that is refused.
        if (how === 'confirmed' && !hasGoneBack() && texts[1] !== undefined)
          await sure.confirm(Number(texts[0]), leftOf(timedCall));
        return texts;
      }, onLate);
      if (writeCounter === undefined) throw lostIdentity();
      see(Number(writeCounter), valueBefore);
      return text === undefined ? undefined : parse(text);
    },
    run: (call, signal) =>
      limitedCall((send, timedCall) => {
        const guardedEvaluate: Evaluate = async (...args) => {
          if (hasGoneBack()) throw wentBack();
          const [{ mayWrite }] = args;
          // Each form is a command of its own, which a `WAIT` has to follow.
          const { answer } = await inEitherForm((form) => {
            const ask = () => guard.evaluate(form, send, ...args);
            return mayWrite ? sure.write(ask, leftOf(timedCall)) : ask();
          });
          return answer;
        };
        return call(guardedEvaluate, send);
      }, signal),
    readNotice(message) {
      const read = readMessage(message);
      if (read !== undefined && read.identity !== identity) return 'foreign';
      if (read?.incarnation === guard.incarnation()) sure.note(read?.writeCounter ?? 0);
      return read?.notice;
    },
  };
}

function limitBy({ connection, deadlines }: GuardedStoreOptions, onLate: (timedCall: TimedCall) => void) {
  return <Result>(
    call: (send: Send, timedCall: TimedCall) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> =>
    deadlines.limit((timedCall) => {
      const send: Send = (args, texts) =>
        // After a new server was checked, because that takes time and may abort the signal.
        connection.send(args, texts, () => {
          signal?.throwIfAborted();
          if (timedCall.isLate) throw new Error('The call has been given up.');
        });
      return call(send, timedCall);
    }, onLate);
}

function leftOf({ end }: TimedCall): () => number {
  return () => end - performance.now();
}

async function openIdentity(send: Send, namespace: string): Promise<string> {
  const identity = await evaluate(send, open, [identityKey(namespace), randomBytes(16).toString('hex')]);
  if (identity !== '') return String(identity);
  throw new IdentityError(
    'invalid_configuration',
    `Redis holds records of the namespace ${namespace}, but not their identity: some were lost. Restore it, or remove them.`,
  );
}

/** Creates a Keyv over the present connection. The Keyv never connects, and stores values without a wrapper. */
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

/**
 * Returns the identity; '' if it is missing although something is stored. The script checks only some keys, because
 * every store with records has one of them.
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
    'list:idempotency', 'expiry:counters', 'journal:writers', 'journal:age', 'series', 'runs', 'list:shared_texts'
  }) do
    if redis.call('EXISTS', prefix .. name) == 1 then return '' end
  end
  redis.call('SET', KEYS[1], ARGV[1])
  return begin(ARGV[1])`);
