/** Hashes and verifies a few passwords at a time, because each takes memory. Visitors that wait take turns. */
import type { Visitor } from '../../credential/fair-queue.ts';
import { createFairSemaphore, type FairSemaphoreOptions } from '../../credential/fair-queue.ts';
import type { PasswordHasher } from '../../ports/storage.ts';

/** The methods of `PasswordHasher`, each in the turn of its visitor; `overloaded` if the turn does not come in time. */
export interface Passwords {
  hash(password: string, visitor?: Visitor): Promise<string>;
  verify(password: string, hash: string, visitor?: Visitor): Promise<boolean>;
  verifyNothing(password: string, visitor?: Visitor): Promise<false>;
}

/** The visitor of calls in process: the application counts as its own network. */
export const IN_PROCESS: Visitor = { networks: ['in process'], hasFailed: false };

/** Makes the passwords of one service. The limit applies to a hasher of the application as well. */
export function createPasswords(hasher: PasswordHasher, options: FairSemaphoreOptions): Passwords {
  const inTurn = createFairSemaphore(options);
  return {
    hash: (password, visitor = IN_PROCESS) => inTurn(visitor, () => hasher.hash(password)),
    verify: (password, hash, visitor = IN_PROCESS) => inTurn(visitor, () => hasher.verify(password, hash)),
    verifyNothing: (password, visitor = IN_PROCESS) => inTurn(visitor, () => hasher.verifyNothing(password)),
  };
}
