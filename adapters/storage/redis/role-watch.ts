import { createElapsedClock, type StorageObserver } from '../../../src/ports/index.ts';
import type { RedisArgument, RedisClient, ReplyTexts, Send } from './client.ts';
import type { OwnClient } from './own-client.ts';
import { assertWaits, countReplicas } from './replicas.ts';
import { readServer } from './server.ts';

/**
 * Decides which incarnations of servers may be used, for one opened store. An incarnation is a period in which one
 * process accepts writes.
 */
export interface IncarnationCheck {
  enter(incarnation: string, send: Send): Promise<void>;
  incarnation(): string | undefined;
}

export interface RoleWatch {
  send(args: readonly RedisArgument[], texts?: ReplyTexts): Promise<unknown>;
  isNew(): boolean;
  isRecent(): boolean;
  look(): Promise<void>;
  renew(): void;
  /** Drops the connection to a server that is not the primary of the keys, and connects to another server. */
  leave(): void;
  /** Records a sign that the server is gone. */
  miss(): void;
  checkBy(check: IncarnationCheck): Promise<void>;
  onLeave(listener: () => void): void;
}

const tooFew = new WeakSet<object>();

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

const LEAVE_EVERY_MS = 250;

/**
 * The time for which a checked role is trusted. A server may become a replica at any time, even while this machine
 * sleeps.
 */
const LOOK_EVERY_MS = 250;

const NEVER = Number.NEGATIVE_INFINITY;

export interface WatchedServer {
  readonly client: RedisClient;
  readonly own: OwnClient | undefined;
  /**
   * The number of replicas that must follow the server. A server that is cut off from its replicas may no longer be the
   * primary.
   */
  readonly replicas: number;
  readonly address: () => string | undefined;
  readonly emit: StorageObserver;
}

export function createRoleWatch({ client, own, replicas, address, emit }: WatchedServer): RoleWatch {
  const { elapsed } = createElapsedClock();
  const send = (args: readonly RedisArgument[], texts?: ReplyTexts) => sendCommand(client, args, texts);
  let leftAt = NEVER;
  let onLeave = (): void => {};
  let presentCheck: IncarnationCheck | undefined;
  const takeovers = createTakeovers(address, emit, elapsed);
  let isNew = true;
  let lookedAt = NEVER;
  let looking: Promise<void> | undefined;

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

  function look(): Promise<void> {
    if (looking !== undefined) return looking;
    const lookPromise = lookNow().finally(() => {
      if (looking === lookPromise) looking = undefined;
    });
    looking = lookPromise;
    return lookPromise;

    async function lookNow(): Promise<void> {
      const startedAt = elapsed();
      const answer = await send(['INFO', 'replication']);
      const { role, incarnation } = readServer(answer);
      const following = await countFollowing(answer, { send, replicas, isOpen: presentCheck !== undefined });
      if (role !== 'master' || following < replicas) {
        leave();
        if (role === 'master') throw fewReplicas(following, replicas);
        throw new Error('The Redis server is a replica, which is read-only. Name its primary.');
      }
      // What was entered in an attempt to open the store that failed says nothing of this one.
      if (presentCheck !== undefined && presentCheck.incarnation() !== incarnation) {
        await presentCheck.enter(incarnation, send);
        takeovers.note(incarnation);
      }
      takeovers.find();
      if (looking !== lookPromise) return;
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
    async checkBy(check) {
      presentCheck = check;
      renew();
      await look();
    },
    onLeave(listener) {
      onLeave = listener;
    },
  };
}

/**
 * Counts the replicas that follow the server. If too few follow before the store is open, checks that the server
 * accepts `WAIT`. More replicas would not help without `WAIT`.
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

function createTakeovers(address: WatchedServer['address'], emit: StorageObserver, elapsedMs: () => number) {
  let enteredState: string | undefined;
  let missedAt: number | undefined;

  return {
    doubt(): void {
      if (enteredState !== undefined) emit({ type: 'server_uncertain' });
    },
    miss(): void {
      missedAt ??= elapsedMs();
    },
    find(): void {
      missedAt = undefined;
    },
    note(incarnation: string): void {
      // Two looks may have entered it.
      if (incarnation === enteredState) return;
      const isFirst = enteredState === undefined;
      enteredState = incarnation;
      if (isFirst) return;
      const currentAddress = address();
      const withoutMs = missedAt === undefined ? 0 : Math.round(elapsedMs() - missedAt);
      emit({
        type: 'primary_changed',
        ...(currentAddress !== undefined && { address: currentAddress }),
        withoutMs,
      });
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
  texts: ReplyTexts = 'strings',
): Promise<unknown> {
  return client.sendCommand(args, TYPES[texts]);
}
