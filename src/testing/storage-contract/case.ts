import type { StorageAdapter } from '../../ports/storage.ts';

/** One claim about a storage; `run` rejects when it does not hold. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** A claim and its proof on an empty storage. */
export type Claim = readonly [name: string, prove: (storage: StorageAdapter) => Promise<void>];
