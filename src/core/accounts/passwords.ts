/**
 * Hashes and verifies only a few passwords at the same time, because each needs memory. Waiting visitors take turns.
 */
import type { Visitor } from '../../credential/fair-queue.ts';
import { createFairSemaphore, type FairSemaphoreOptions } from '../../credential/fair-queue.ts';
import type { PasswordHasher } from '../../ports/storage.ts';

/**
 * The methods of `PasswordHasher`. Each waits for the turn of its visitor, and throws `overloaded` if the turn does not
 * come in time.
 */
export interface Passwords {
  hash(password: string, visitor?: Visitor): Promise<string>;
  verify(password: string, hash: string, visitor?: Visitor): Promise<boolean>;
  verifyNothing(password: string, visitor?: Visitor): Promise<false>;
}

/**
 * The visitor for calls in process. Networks take turns in the queue of password checks, and the application
 * counts as a separate network.
 */
export const IN_PROCESS: Visitor = { networks: ['in process'], hasFailed: false };

/** Creates the password methods. The limit applies to a hasher of the application as well. */
export function createPasswords(hasher: PasswordHasher, options: FairSemaphoreOptions): Passwords {
  const inTurn = createFairSemaphore(options);
  return {
    hash: (password, visitor = IN_PROCESS) => inTurn(visitor, () => hasher.hash(password)),
    verify: (password, hash, visitor = IN_PROCESS) => inTurn(visitor, () => hasher.verify(password, hash)),
    verifyNothing: (password, visitor = IN_PROCESS) => inTurn(visitor, () => hasher.verifyNothing(password)),
  };
}
