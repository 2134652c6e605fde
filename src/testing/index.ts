/** The entry point `./testing`: the contract tests for storage adapters. It imports no test runner and no package. */

export type { StorageAdapter } from '../ports/index.ts';
export { type ContractCase, storageContract } from './storage-contract.ts';
