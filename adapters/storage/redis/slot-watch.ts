import type { StorageObserver } from '../../../src/ports/index.ts';
import type { RedisArgument } from './client.ts';
import { isMoving } from './errors.ts';

/** Recognises in answers that the slot of the keys moves to another server. */
export interface SlotWatch {
  /** Notes an error of the server. */
  onError(error: unknown): void;
  /** Notes an answer to a command: a script is answered only while the slot does not move. */
  onAnswer(args: readonly RedisArgument[]): void;
}

/** Makes the watch over the slot of a store, which reports each move once. */
export function createSlotWatch(emit: StorageObserver): SlotWatch {
  let moves = false;
  return {
    onError(error) {
      if (moves || !isMoving(error)) return;
      moves = true;
      emit({ type: 'records_moving' });
    },
    onAnswer([command]) {
      if (moves && (command === 'EVAL' || command === 'EVALSHA')) moves = false;
    },
  };
}
