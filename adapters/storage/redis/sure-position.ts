/** The answer of a server, with the position of its data. */
export interface Outcome<Answer> {
  readonly position: number;
  /** `true` if the script has written. Writes raise the write counter, except a write that changes no data. */
  readonly hasWritten: boolean;
  readonly answer: Answer;
}

export interface SurePositionParts {
  readonly replicas: number;
  /**
   * Sends `WAIT` on the connection of the writes, for at most `ms` milliseconds. Returns the number of replicas that
   * have all earlier writes of this connection.
   */
  readonly wait: (ms: number) => Promise<number>;
  readonly touch: () => Promise<Outcome<unknown>>;
  /** Runs a function at the end of this turn of the event loop, before the data of the turn leaves this process. */
  readonly atTurnEnd: (act: () => void) => void;
  readonly onUnconfirmed?: (reachedCount: number) => void;
  readonly connection: () => number;
}

/**
 * The highest write counter that this node is sure of. A store with a lower counter has lost an acknowledged write.
 *
 * With replicas, only a `WAIT` raises it. A counter that was only read may include a write of another node that was
 * never acknowledged. A correct store can lose such a write in a fail-over.
 */
export interface SurePosition {
  readonly value: number;
  note(position: number): void;
  /**
   * Sends a script that may write, and returns its result once enough replicas have the write. If the script has
   * written nothing, its result depends on earlier writes, which are confirmed first. `leftMs` returns the time until
   * the deadline of the call.
   */
  write<Answer>(send: () => Promise<Outcome<Answer>>, leftMs: () => number): Promise<Outcome<Answer>>;
  confirm(position: number, leftMs: () => number): Promise<void>;
}

/** The maximum milliseconds of one `WAIT`. `RESERVE_MS` is the time that remains for the answer of the call. */
const MAX_WAIT_MS = 500;
const RESERVE_MS = 50;

export function createSurePosition(parts: SurePositionParts): SurePosition {
  const { replicas, wait, touch, atTurnEnd, connection, onUnconfirmed } = parts;
  let value = 0;
  let turn: { leftMs: number; readonly count: Promise<number> } | undefined;
  let touching: Promise<Outcome<unknown>> | undefined;

  function followTurn(leftMs: number): Promise<number> {
    if (turn === undefined) {
      const count = new Promise<number>((resolve) => {
        atTurnEnd(() => {
          const ms = (turn?.leftMs ?? 0) - RESERVE_MS;
          turn = undefined;
          // 0 would wait without a limit.
          resolve(wait(Math.max(1, Math.min(Math.floor(ms), MAX_WAIT_MS))));
        });
      });
      // Each call that needs the answer handles its error.
      count.catch(ignore);
      turn = { leftMs, count };
    }
    turn.leftMs = Math.min(turn.leftMs, leftMs);
    return turn.count;
  }

  async function cover<Answer>(
    send: () => Promise<Outcome<Answer>>,
    leftMs: number,
  ): Promise<Outcome<Answer>> {
    const connectionNumber = connection();
    const count = followTurn(leftMs);
    const outcome = await send();
    if (!outcome.hasWritten) return outcome;
    const reachedCount = await count;
    if (reachedCount < replicas) onUnconfirmed?.(reachedCount);
    // `WAIT` speaks of the writes of its own connection.
    if (reachedCount < replicas || connection() !== connectionNumber) throw unconfirmed();
    value = Math.max(value, outcome.position);
    return outcome;
  }

  async function confirm(position: number, leftMs: () => number): Promise<void> {
    if (replicas === 0 || position <= value) return;
    if (touching === undefined) {
      touching = cover(touch, leftMs());
      // Another call of this turn may share it; a later one may speak of a later write.
      atTurnEnd(() => {
        touching = undefined;
      });
    }
    await touching;
    if (value < position) throw unconfirmed();
  }

  function unconfirmed(): Error {
    return new Error(`Fewer than ${replicas} replicas have the write. It may still take effect.`);
  }

  return {
    get value() {
      return value;
    },
    note(position) {
      if (replicas === 0) value = Math.max(value, position);
    },
    async write(send, leftMs) {
      if (replicas === 0) {
        const outcome = await send();
        value = Math.max(value, outcome.position);
        return outcome;
      }
      const outcome = await cover(send, leftMs());
      if (!outcome.hasWritten) await confirm(outcome.position, leftMs);
      return outcome;
    },
    confirm,
  };
}

function ignore(): void {}
