import type { UpdateOptions } from '../core.ts';
import { wrongField } from '../errors.ts';

const APPROVAL_ID = /^[\x21-\x2b\x2d-\x7e]{1,128}$/;

export function readApprovalId(header: string | undefined): Pick<UpdateOptions, 'approvalId'> {
  if (header === undefined) return {};
  if (APPROVAL_ID.test(header)) return { approvalId: header };
  const message = 'Approval-Id must be the id of one approval.';
  throw wrongField('', 'malformed', message);
}
