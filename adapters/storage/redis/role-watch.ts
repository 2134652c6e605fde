import { createElapsedClock } from '../../../src/ports/index.ts';
import type { RedisArgument, RedisClient, ReplyTexts } from './client.ts';
import type { OwnClient } from './own-client.ts';
import { readServer } from './server.ts';

/** Decides, with commands of its own, whether a run of a server may be used; rejects when not. */
export type EnterRun = (run: string, send: (args: readonly string[]) => Promise<unknown>) => Promise<void>;

/** Checks that the server of a client is a primary that may be used. */
export interface RoleWatch {
  send(args: readonly RedisArgument[], as?: ReplyTexts): Promise<unknown>;
  /** Whether the server of the current connection was not checked yet. */
  isNew(): boolean;
  /** Whether the last check is recent enough. */
  isRecent(): boolean;
  /** Checks now; rejects when the server must not be used. */
  look(): Promise<void>;
  /** There is a new connection: nothing is known of its server. */
  renew(): void;
  /** The server is a replica: takes another connection. */
  leaveReplica(): void;
  judgeBy(enter: EnterRun): Promise<void>;
  onLeave(listener: () => void): void;
}

/** How often the connection is dropped while its server is a replica. */
const DEMOTED_EVERY_MS = 250;

/** How long the role of a connected server is trusted: it may be made a replica, also while this machine sleeps. */
const LOOK_EVERY_MS = 250;

const NEVER = Number.NEGATIVE_INFINITY;

/** The watch over the server of a client; `own` is set where the client is ours. */
export function createRoleWatch(client: RedisClient, own?: OwnClient): RoleWatch {
  const { elapsed } = createElapsedClock();
  let demotedAt = NEVER;
  let onLeave = (): void => {};
  let enter: EnterRun | undefined;
  let entered: string | undefined;
  let isNew = true;
  let lookedAt = NEVER;
  let looking: Promise<void> | undefined;

  /** The client reconnects on its own. */
  function renew(): void {
    isNew = true;
    looking = undefined;
  }

  /** The former primary may be a replica now, and its name may lead to another server. */
  function leaveReplica(): void {
    lookedAt = NEVER;
    if (elapsed() - demotedAt < DEMOTED_EVERY_MS) return;
    demotedAt = elapsed();
    setImmediate(() => {
      own?.reconnect();
      onLeave();
    });
  }

  /** Many calls share one check. */
  function look(): Promise<void> {
    if (looking !== undefined) return looking;
    const mine = lookNow().finally(() => {
      if (looking === mine) looking = undefined;
    });
    looking = mine;
    return mine;

    async function lookNow(): Promise<void> {
      const startedAt = elapsed();
      const { role, run } = readServer(await send(['INFO', 'replication']));
      if (role !== 'master') {
        leaveReplica();
        throw new Error('The Redis server is a replica, which is read-only.');
      }
      if (run !== entered && enter !== undefined) {
        await enter(run, send);
        entered = run;
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

/** Overrides what the host has set for its own commands. `$` is the type of a text in the protocol. */
const TYPES = {
  strings: { typeMapping: {} },
  bytes: { typeMapping: { ['$'.charCodeAt(0)]: Buffer } },
} as const;

/** The answer to one command. */
export function sendCommand(
  client: RedisClient,
  args: readonly RedisArgument[],
  as: ReplyTexts = 'strings',
): Promise<unknown> {
  return client.sendCommand(args, TYPES[as]);
}
