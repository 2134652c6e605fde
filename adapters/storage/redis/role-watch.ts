import { createElapsedClock } from '../../../src/ports/index.ts';
import type { RedisArgument, RedisClient, ReplyTexts } from './client.ts';
import type { OwnClient } from './own-client.ts';
import { readServer } from './server.ts';

/** Decides, with commands of its own, whether an incarnation of a server may be used; rejects if not. */
export type EnterIncarnation = (
  incarnation: string,
  send: (args: readonly string[]) => Promise<unknown>,
) => Promise<void>;

/** Checks that the server of a client is a primary that may be used. */
export interface RoleWatch {
  send(args: readonly RedisArgument[], as?: ReplyTexts): Promise<unknown>;
  /** Says whether the server of the current connection was not checked yet. */
  isNew(): boolean;
  /** Says whether the last check is recent enough. */
  isRecent(): boolean;
  /** Checks the server now; rejects if it must not be used. */
  look(): Promise<void>;
  /** Notes a new connection, whose server is unknown. */
  renew(): void;
  /** Drops the connection to a replica and takes another one. */
  leaveReplica(): void;
  judgeBy(enter: EnterIncarnation): Promise<void>;
  onLeave(listener: () => void): void;
}

/** The interval at which the connection is dropped while its server is a replica. */
const DEMOTED_EVERY_MS = 250;

/**
 * The time for which the role of a server is trusted. A server may become a replica, also while this machine sleeps.
 */
const LOOK_EVERY_MS = 250;

const NEVER = Number.NEGATIVE_INFINITY;

/** Makes the watch over the server of a client; `own` is set if this storage owns the client. */
export function createRoleWatch(client: RedisClient, own?: OwnClient): RoleWatch {
  const { elapsed } = createElapsedClock();
  let demotedAt = NEVER;
  let onLeave = (): void => {};
  let enter: EnterIncarnation | undefined;
  let entered: string | undefined;
  let isNew = true;
  let lookedAt = NEVER;
  let looking: Promise<void> | undefined;

  /** Notes a new connection: the client reconnects by itself. */
  function renew(): void {
    isNew = true;
    looking = undefined;
  }

  /** Reconnects. The former primary may be a replica now, and its name may lead to another server. */
  function leaveReplica(): void {
    lookedAt = NEVER;
    if (elapsed() - demotedAt < DEMOTED_EVERY_MS) return;
    demotedAt = elapsed();
    setImmediate(() => {
      own?.reconnect();
      onLeave();
    });
  }

  /** Checks the server. Calls that come together share one check. */
  function look(): Promise<void> {
    if (looking !== undefined) return looking;
    const mine = lookNow().finally(() => {
      if (looking === mine) looking = undefined;
    });
    looking = mine;
    return mine;

    async function lookNow(): Promise<void> {
      const startedAt = elapsed();
      const { role, incarnation } = readServer(await send(['INFO', 'replication']));
      if (role !== 'master') {
        leaveReplica();
        throw new Error('The Redis server is a replica, which is read-only.');
      }
      if (incarnation !== entered && enter !== undefined) {
        await enter(incarnation, send);
        entered = incarnation;
      }
      if (looking !== mine) return;
      isNew = false;
      lookedAt = startedAt;
    }
  }

  function send(args: readonly RedisArgument[], as?: ReplyTexts): Promise<unknown> {
    return sendCommand(client, args, as);
  }

  return {
    send,
    isNew: () => isNew,
    isRecent: () => elapsed() - lookedAt < LOOK_EVERY_MS,
    look,
    renew,
    leaveReplica,
    async judgeBy(given) {
      enter = given;
      renew();
      await look();
    },
    onLeave(listener) {
      onLeave = listener;
    },
  };
}

/**
 * The type mappings of answers. They override those of the host's client. `$` is the type of a text in the protocol.
 */
const TYPES = {
  strings: { typeMapping: {} },
  bytes: { typeMapping: { ['$'.charCodeAt(0)]: Buffer } },
} as const;

/** Sends one command and returns its answer. */
export function sendCommand(
  client: RedisClient,
  args: readonly RedisArgument[],
  as: ReplyTexts = 'strings',
): Promise<unknown> {
  return client.sendCommand(args, TYPES[as]);
}
