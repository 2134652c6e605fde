import { domainOperations } from '../domains/operations.ts';
import { signOperations } from '../identity/operations.ts';
import type { OperationTable } from '../operations/operation.ts';
import { accountOperations } from './accounts/operations.ts';
import { approvalOperations } from './approvals/operations.ts';
import type { LocalMethod } from './capabilities/open-rooms.ts';
import { auditOperations, verificationOperations } from './insight/operations.ts';
import { keyOperations } from './keys/operations.ts';
import { passportOperations, stateOperations } from './passports/operations.ts';
import { spendOperations } from './spending/operations.ts';

export const CORE_TABLES: readonly OperationTable[] = [
  stateOperations,
  spendOperations,
  approvalOperations,
  passportOperations,
  keyOperations,
  accountOperations,
  verificationOperations,
  auditOperations,
];

export function servedTables(
  ofCapabilities: readonly OperationTable[],
  has: { readonly domains: boolean; readonly signs: boolean },
): readonly OperationTable[] {
  return [...CORE_TABLES, ...ofCapabilities].filter((table) => {
    if (table === domainOperations) return has.domains;
    return table !== signOperations || has.signs;
  });
}

export const LOCAL_METHODS: readonly LocalMethod[] = [
  { room: 'keys', name: 'activeCount', ids: 0, place: 0, options: [] },
  { room: 'passports', name: 'createAll', ids: 0, place: 1, options: [] },
  { room: 'approvals', name: 'wait', ids: 1, place: 1, options: ['signal'], isOfAccounts: true },
];
