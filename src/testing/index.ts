/** The door `./testing`: proves storage adapters; imports no test runner and no package. */

export type { StorageAdapter } from '../ports/index.ts';
export { type ContractCase, storageContract } from './storage-contract.ts';
