/** Approvals over HTTP. */

import { decisionOf } from '../base/decision-wait.ts';
import type { IdentityError } from '../errors.ts';
import type { Approval, ApprovalDecision } from '../records/approval.ts';
import type { Page } from '../records.ts';
import type { ApprovalQuery } from '../service.ts';
import type { AdminRequests, Pages } from './admin-requests.ts';
import { pathOf } from './path-of.ts';
import type { RequestOptions } from './transport.ts';

/** What persons are asked, as a key sees it. */
export interface ClientApprovals {
  /** Its present state; `not_found` where it is not seen. */
  get(id: string, options?: RequestOptions): Promise<Approval>;
  /**
   * The approval once a person has decided on it, or once it is expired; look at its `status`. It is asked for every few
   * seconds, also while the service does not answer. Rejects with the reason of the signal, and as `get` where the first
   * request fails.
   */
  wait(id: string, options?: RequestOptions): Promise<Approval>;
}

/** What persons are asked, and what they say. */
export interface AdminApprovals extends ClientApprovals {
  /** Newest first: the first page, with `for await` every page. */
  list(query?: ApprovalQuery, options?: RequestOptions): Pages<Page<Approval>>;
  /** Lets the agent do exactly this intent once; `conflict` for one that was rejected or is expired. Sent once. */
  approve(id: string, decision?: ApprovalDecision, options?: RequestOptions): Promise<Approval>;
  /** `conflict` for one that was approved or is expired. Sent once. */
  reject(id: string, decision?: ApprovalDecision, options?: RequestOptions): Promise<Approval>;
}

/** The approvals behind `get`, which sends a request; `notThisAnswer` makes the error for an answer about another. */
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

function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

/** The verbs of approvals over the requests of an account. */
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
