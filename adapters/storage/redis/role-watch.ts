import { createElapsedClock, type StorageObserver } from '../../../src/ports/index.ts';
import type { RedisArgument, RedisClient, ReplyTexts, Send } from './client.ts';
import type { OwnClient } from './own-client.ts';
import { assertWaits, countReplicas } from './replicas.ts';
import { readServer } from './server.ts';

/**
 * Decides which incarnations of servers may be used, for one opened store. An incarnation is a period in which one
 * process accepts writes.
 */
export interface IncarnationJudge {
  /** Sends commands to check whether an incarnation may be used; rejects if not. */
  enter(incarnation: string, send: Send): Promise<void>;
  /** Returns the incarnation that was accepted last. */
  incarnation(): string | undefined;
}

export interface RoleWatch {
  send(args: readonly RedisArgument[], as?: ReplyTexts): Promise<unknown>;
  /** Says whether the server of the present connection has not been checked yet. */
  isNew(): boolean;
  isRecent(): boolean;
  /** Checks the server now; rejects if the server must not be used. */
  look(): Promise<void>;
  /** Records a new connection, whose server is unknown. */
  renew(): void;
  /** Drops the connection to a server that is not the primary of the keys, and connects to another server. */
  leave(): void;
  /** Records a sign that the server is gone. */
  miss(): void;
  judgeBy(judge: IncarnationJudge): Promise<void>;
  onLeave(listener: () => void): void;
}

const tooFew = new WeakSet<object>();

/** Says whether the error is that too few replicas follow the server, which may be temporary. */
export function isFewReplicas(error: unknown): boolean {
  return tooFew.has(Object(error));
}

export function fewReplicas(following: number, replicas: number): Error {
  const error = new Error(
    `${following} replicas follow the Redis server, and ${replicas} must: see replicas= of its URL.`,
  );
  tooFew.add(error);
  return error;
}

/** The minimum time between two dropped connections to servers that are not primaries. */
const LEAVE_EVERY_MS = 250;

/**
 * The time for which a checked role is trusted. A server may become a replica at any time, even while this machine
 * sleeps.
 */
const LOOK_EVERY_MS = 250;

const NEVER = Number.NEGATIVE_INFINITY;

export interface WatchedServer {
  readonly client: RedisClient;
  /** The client, if this storage owns it. */
  readonly own: OwnClient | undefined;
  /**
   * The number of replicas that must follow the server. A server that is cut off from its replicas may no longer be the
   * primary.
   */
  readonly replicas: number;
  /** Returns the host and port of the connected server, if they are known. */
  readonly address: () => string | undefined;
  readonly emit: StorageObserver;
}

export function createRoleWatch({ client, own, replicas, address, emit }: WatchedServer): RoleWatch {
  const { elapsed } = createElapsedClock();
  const send = (args: readonly RedisArgument[], as?: ReplyTexts) => sendCommand(client, args, as);
  let leftAt = NEVER;
  let onLeave = (): void => {};
  let judge: IncarnationJudge | undefined;
  const takeovers = createTakeovers(address, emit, elapsed);
  let isNew = true;
  let lookedAt = NEVER;
  let looking: Promise<void> | undefined;

  /** Records a new connection, because the client reconnects automatically. */
  function renew(): void {
    isNew = true;
    looking = undefined;
    takeovers.doubt();
  }

  /** Reconnects. The keys may have another primary now, and a host name may lead to another server. */
  function leave(): void {
    takeovers.miss();
    lookedAt = NEVER;
    if (elapsed() - leftAt < LEAVE_EVERY_MS) return;
    leftAt = elapsed();
    setImmediate(() => {
      own?.reconnect();
      onLeave();
    });
  }

  /** Checks the server. Calls at the same time share one check. */
  function look(): Promise<void> {
    if (looking !== undefined) return looking;
    const mine = lookNow().finally(() => {
      if (looking === mine) looking = undefined;
    });
    looking = mine;
    return mine;

    async function lookNow(): Promise<void> {
      const startedAt = elapsed();
      const answer = await send(['INFO', 'replication']);
      const { role, incarnation } = readServer(answer);
      const following = await countFollowing(answer, { send, replicas, isOpen: judge !== undefined });
      if (role !== 'master' || following < replicas) {
        leave();
        if (role === 'master') throw fewReplicas(following, replicas);
        throw new Error('The Redis server is a replica, which is read-only.');
      }
      // What was entered in an attempt to open the store that failed says nothing of this one.
      if (judge !== undefined && judge.incarnation() !== incarnation) {
        await judge.enter(incarnation, send);
        takeovers.note(incarnation);
      }
      takeovers.find();
      if (looking !== mine) return;
      isNew = false;
      lookedAt = startedAt;
    }
  }

  return {
    send,
    isNew: () => isNew,
    isRecent: () => elapsed() - lookedAt < LOOK_EVERY_MS,
    look,
    renew,
    leave,
    miss: takeovers.miss,
    async judgeBy(given) {
      judge = given;
      renew();
      await look();
    },
    onLeave(listener) {
      onLeave = listener;
    },
  };
}

/**
 * Counts the following replicas. Before the store is open, a server that refuses `WAIT` is refused as well, because
 * replicas would not help.
 */
async function countFollowing(
  answer: unknown,
  { send, replicas, isOpen }: { readonly send: Send; readonly replicas: number; readonly isOpen: boolean },
): Promise<number> {
  if (replicas === 0) return 0;
  const following = countReplicas(answer);
  if (!isOpen && following < replicas && readServer(answer).role === 'master')
    await assertWaits(send, replicas);
  return following;
}

/** Reports the incarnations on which the store works, one after the other. */
function createTakeovers(address: WatchedServer['address'], emit: StorageObserver, elapsed: () => number) {
  let entered: string | undefined;
  /** The time of the first sign that the server is gone. */
  let missedAt: number | undefined;

  return {
    /** Records that another server may answer from now on. */
    doubt(): void {
      if (entered !== undefined) emit({ type: 'server_uncertain' });
    },
    miss(): void {
      missedAt ??= elapsed();
    },
    find(): void {
      missedAt = undefined;
    },
    /** Records the incarnation on which the store now works. */
    note(incarnation: string): void {
      // Two looks may have entered it.
      if (incarnation === entered) return;
      const isFirst = entered === undefined;
      entered = incarnation;
      if (isFirst) return;
      const at = address();
      const withoutMs = missedAt === undefined ? 0 : Math.round(elapsed() - missedAt);
      emit({ type: 'primary_changed', ...(at !== undefined && { address: at }), withoutMs });
    },
  };
}

/**
 * The type mapping of answers, which overrides the mapping of the application's client. `$` is the type of a text in
 * the protocol.
 */
const TYPES = {
  strings: { typeMapping: {} },
  bytes: { typeMapping: { ['$'.charCodeAt(0)]: Buffer } },
} as const;

export function sendCommand(
  client: RedisClient,
  args: readonly RedisArgument[],
  as: ReplyTexts = 'strings',
): Promise<unknown> {
  return client.sendCommand(args, TYPES[as]);
}
