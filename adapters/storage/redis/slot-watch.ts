import type { StorageObserver } from '../../../src/ports/index.ts';
import type { RedisArgument } from './client.ts';
import { isMoving } from './errors.ts';

export interface SlotWatch {
  onError(error: unknown): void;
  /** Records an answer to a command. The answer to a script means that the slot is not moving. */
  onAnswer(args: readonly RedisArgument[]): void;
}

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
