import type { StorageAdapter } from '../../ports/storage.ts';

/**
 * One contract test of a storage.
 *
 * @throws {Error} If the storage fails the test.
 */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** The name of a contract test, and the function that runs it on an empty storage. */
export type Claim = readonly [name: string, prove: (storage: StorageAdapter) => Promise<void>];
