/**
 * Handles approvals of passport changes that let an agent do more. One request asks for the approval, and a later
 * request applies the approved change.
 */

import { canonicalJson } from '../../base/values/json-values.ts';
import { conflict, IdentityError, noSuch } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { FieldDifference } from '../../records/approval.ts';
import type { Comparison } from '../../records/comparison.ts';
import type { PassportPatch } from '../../records.ts';
import { approvalRequired } from '../../verdict/approval.ts';
import type { PassportRecord } from '../passports/collections.ts';
import type { Context } from '../shared/context.ts';
import type { Hooks } from '../shared/hooks.ts';
import type { Sweep } from '../shared/sweep.ts';
import { untilWritten } from '../storage/store.ts';
import {
  approvalStatusAt,
  askingFor,
  changed,
  digestChange,
  isNamed,
  newApproval,
  storedRule,
} from './approval-record.ts';
import type { ApprovalRecord, StoredPassportChange } from './collections.ts';
import { decidersNow, demandOnChange, isOver } from './deciding.ts';
import { barredBy, haveApproved, stricterRule } from './people-rule.ts';

/** A change of a passport that lets its agent do more, and the author of the change. */
export interface WideningChange {
  readonly before: PassportRecord;
  readonly patch: PassportPatch;
  /**
   * The number of the last reviewed version, with which the change is compared. A version is reviewed if
   * people approved its change, or an operator made it.
   */
  readonly since: number;
  /** The fields that differ between the version `since` and the passport after the change. */
  readonly difference: readonly FieldDifference[];
  readonly comparison: Comparison;
  /** The author of the request, who asks for the approval or applies the approved change. */
  readonly author: string;
  /** The author that the event names: the person, or the management key that proposes the change for its person. */
  readonly changed_by: string;
  /** `true` for a proposal of a management key, which has its own time limit and maximum number. */
  readonly isProposal: boolean;
}

/** The use of an approval by a change. */
export interface ApprovedUse {
  /** The person who asked for the change, and so becomes the author of the change. */
  readonly requested_by: string;
  readonly changes: readonly Change[];
}

/** Asks people to approve changes of passports, and checks given approvals. */
export interface ChangeApprovals {
  /**
   * Requests an approval and returns the error `second_person_required` with `approval_id` and `expires_at`. While the
   * approval is open, the same change gives the same approval.
   */
  request(change: WideningChange): Promise<IdentityError>;
  /**
   * Checks that the approval permits this change. Returns the steps that mark the approval as used, and the person who
   * asked for the approval.
   *
   * @throws {IdentityError} `not_found` if the approval does not belong to this change.
   * @throws {IdentityError} `conflict` if the approval has ended or belongs to another version.
   * @throws {IdentityError} `second_person_required` if too few of the present approvers have approved.
   */
  use(change: WideningChange, approvalId: string): Promise<ApprovedUse>;
}

const PROPOSAL_SECONDS = 86_400;

const environment = 'live';

/** Creates the approvals of passport changes. `expiries` ends approvals whose time is over. */
export function createChangeApprovals(
  context: Pick<Context, 'store' | 'clock' | 'clockWatch' | 'nextEventName' | 'auditDays'>,
  { expiries, tellAsked }: { readonly expiries: Sweep } & Pick<Hooks, 'tellAsked'>,
): ChangeApprovals {
  const { store, clockWatch } = context;

  return {
    async request(change) {
      const { before, patch, changed_by } = change;
      const agent_id = before.id;
      const digest = digestChange({ agent_id, patch, version: before.version });
      return untilWritten(async () => {
        const [newest] = await store.list('approvals', { where: { environment, digest }, limit: 1 });
        const storeMs = await clockWatch.storeNow();
        if (newest !== undefined && isNamed(newest, storeMs)) return secondPersonFor(newest);
        const settledBefore = expiries.settled({ agent_id });
        const record = newApproval(askedFor(change, digest), newest, storeMs);
        const { shown, steps } = askingFor(context, record, changed_by, storeMs);
        const answer = await store.write(...steps.changes);
        if (answer.written) {
          tellAsked(shown);
          return secondPersonFor(record);
        }
        const failures = steps.failed({ ...answer, values: [] });
        // Only the limit failed: it may still count expired approvals.
        const isFull = failures.has('limit') && !failures.has('approval');
        const isStuck =
          isFull && !(await expiries.run(await clockWatch.present(), { agent_id }, settledBefore));
        return isStuck ? secondPersonFor(null, { too_many: true }) : undefined;
      });
    },

    async use({ before, patch, author }, approvalId) {
      const base = await store.get('approvals', approvalId);
      const change = base?.kind === 'change' ? base.change : null;
      const isOfChange = base?.account_id === before.account_id && base.agent_id === before.id;
      if (!isOfChange || !change || !isSamePatch(change, patch)) throw noSuch('approval');
      const storeMs = await clockWatch.storeNow();
      const status = approvalStatusAt(base, storeMs);
      if (status !== 'approved' && status !== 'pending') throw isOver(status);
      if (change.version !== before.version)
        throw conflict(`The approval is for version ${change.version} of the passport. Ask for another.`);
      const demand = demandOnChange(before);
      const rule = stricterRule(storedRule(base), demand.rule);
      const requested_by = base.requested_by ?? author;
      const askers = [requested_by, author];
      const decisions = base.decisions;
      const bars = barredBy(rule, {
        kind: 'change',
        askers,
        wideners: demand.wideners,
        authors: demand.authors,
      });
      const mayDecide = await decidersNow(context, base, decisions, false);
      if (!haveApproved({ rule, decisions, barred: bars, mayDecide })) throw secondPersonFor(base);
      const { changes } = changed(base, { status: 'used' }, storeMs);
      return { requested_by, changes };
    },
  };
}

function askedFor(
  { before, patch, since, difference, comparison: { result, wider }, author, isProposal }: WideningChange,
  digest: string,
): Parameters<typeof newApproval>[0] {
  const { id: agent_id, account_id, approval, version } = before;
  const { rule } = demandOnChange(before);
  const { code } = approvalRequired({});
  const reason = { code, message: 'A person must approve the change.', agent_id, change: result };
  const example = wider.find(({ intent }) => intent !== null) ?? wider[0] ?? null;
  const change = {
    patch: JSON.parse(canonicalJson(patch)),
    version,
    since,
    difference,
    result,
    example,
    ...(isProposal && { is_proposal: true }),
  };
  return {
    account_id,
    agent_id,
    environment,
    digest,
    kind: 'change',
    intent: {},
    reasons: [reason],
    change: change as unknown as StoredPassportChange,
    ...rule,
    requested_by: author,
    seconds: isProposal ? PROPOSAL_SECONDS : (approval?.seconds ?? 0),
  };
}

function isSamePatch({ patch: askedPatch }: StoredPassportChange, patch: PassportPatch): boolean {
  return canonicalJson(askedPatch) === canonicalJson(patch);
}

function secondPersonFor(
  namedRecord: Pick<ApprovalRecord, 'id' | 'expires_at'> | null,
  extra: Readonly<Record<string, boolean>> = {},
): IdentityError {
  const details = {
    approval_id: namedRecord?.id ?? null,
    expires_at: namedRecord?.expires_at ?? null,
    ...extra,
  };
  const message =
    namedRecord === null
      ? 'Another person has to approve this change, and too many approvals wait. Decide one first.'
      : 'Another person has to approve this change, because it allows more.';
  return new IdentityError('second_person_required', message, { details });
}
