/** For the tests of hosts and of storage adapters; imports no test runner. The generators need fast-check. */

export {
  callerArbitrary,
  type DecimalPair,
  decimalPairArbitrary,
  intentArbitrary,
  type OwnedPassport,
  type PlainQuestion,
  passportArbitrary,
  questionArbitrary,
} from './arbitraries.ts';
export { type ContractCase, storageContract } from './storage-contract.ts';
