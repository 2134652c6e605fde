/** Approvals over HTTP. */

import { after, decisionOf } from '../base/async/decision-wait.ts';
import type { IdentityError } from '../errors.ts';
import type { Approval, ApprovalDecision } from '../records/approval.ts';
import type { AdminApprovals, ClientApprovals } from '../service.ts';
import type { AdminRequests } from './admin-requests.ts';
import { pathOf } from './path-of.ts';
import type { RequestOptions } from './transport.ts';

/**
 * Makes the methods of approvals; `get` sends a request, and `notThisAnswer` makes the error for an answer about another
 * approval.
 */
export function approvalsOf(
  get: (path: string, options: RequestOptions | undefined) => Promise<unknown>,
  notThisAnswer: () => IdentityError,
): ClientApprovals {
  const read = async (id: string, options: RequestOptions | undefined): Promise<Approval> =>
    checked(await get(pathOf`/approvals/${id}`, options), id, notThisAnswer);
  return {
    get: read,
    wait: (id, options) => decisionOf({ read: () => read(id, options), after, signal: options?.signal }),
  };
}

/** Makes the methods of approvals over the requests of an account. */
export function adminApprovalsOf({ ask, change, list, notThisAnswer }: AdminRequests): AdminApprovals {
  async function decide(
    path: string,
    id: string,
    input: ApprovalDecision,
    options: RequestOptions | undefined,
  ): Promise<Approval> {
    return checked(await change('POST', path, { input, options, success: 200 }), id, notThisAnswer);
  }

  return {
    ...approvalsOf((path, options) => ask(path, { options }), notThisAnswer),
    list: (query = {}, options) => list('/approvals', query, options),
    approve: (id, decision = {}, options) => decide(pathOf`/approvals/${id}/approve`, id, decision, options),
    reject: (id, decision = {}, options) => decide(pathOf`/approvals/${id}/reject`, id, decision, options),
  };
}

function checked(answer: unknown, id: string, notThisAnswer: () => IdentityError): Approval {
  const approval = Object(answer) as Approval;
  if (approval.id === id && typeof approval.status === 'string') return approval;
  throw notThisAnswer();
}
