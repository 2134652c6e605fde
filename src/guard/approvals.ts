/** Handles approvals of tool calls that a person must decide. */
import { after, decisionOf } from '../base/async/decision-wait.ts';
import { askedApproval } from '../base/async/guarded-call.ts';
import { orAborted } from '../base/async/or-aborted.ts';
import type { Approval } from '../records/approval.ts';
import type { Instant, Intent, Reason } from '../records.ts';
import { requireKnown, requireOption } from './require-option.ts';
import type { Verifier } from './tool-call.ts';

/** Options that say how a guard continues a call after a person has approved it. */
export interface GuardApprovals {
  /**
   * The page where a person decides: an address to which the id is appended, or a function that returns the whole
   * address. The address must be absolute, and `https:` or, on this machine, `http:`. The page must require a login.
   */
  readonly url?: string | ((id: string) => string);
  /** The milliseconds for which a run waits for the decision, 0 to 600,000; default 0. */
  readonly waitMs?: number;
}

/** The approval that a call needs. */
export interface NeededApproval {
  /** The id `apr_…`. */
  readonly id: string;
  /** `pending`: there is no decision yet. `approved`: the call runs once. `rejected`: the call is denied. */
  readonly status: 'pending' | 'approved' | 'rejected';
  /** The instant until which the approval can be decided and used. */
  readonly expires_at: Instant;
  /** The page where a person decides. */
  readonly url?: string;
  /** The text of the `DENY` that the call gets before the decision. */
  readonly text: string;
}

/** The checked option `approvals`. */
export interface CheckedApprovals {
  readonly waitMs: number;
  /** Returns the page where a person decides. Returns `undefined` for an address that is not safe. */
  pageOf(id: string): string | undefined;
  /**
   * Reads an approval. With `isPatient`, waits for the decision. Returns `undefined` without an answer, and never
   * rejects.
   */
  read(id: string, signal: AbortSignal, isPatient: boolean): Promise<Approval | undefined>;
  /** Returns the status of an approval. Returns `undefined` if it cannot be read. Never rejects. */
  statusOf(id: string): Promise<string | undefined>;
}

const MAX_WAIT_MS = 600_000;
const PAGE =
  'approvals.url must be an https address, such as https://id.example.com/approvals/, or a function.';

/**
 * Checks the option `approvals`.
 *
 * @throws {IdentityError} `invalid_configuration` if it is wrong.
 */
export function checkApprovals(givenOptions: unknown, { approvals: source }: Verifier): CheckedApprovals {
  requireOption(
    typeof givenOptions === 'object' && givenOptions !== null,
    'approvals must be an object, such as {}.',
  );
  const options: GuardApprovals = { ...givenOptions };
  requireKnown(options, ['url', 'waitMs'], 'approvals has no field ');
  const { url, waitMs = 0 } = options;
  requireOption(
    Number.isInteger(waitMs) && waitMs >= 0 && waitMs <= MAX_WAIT_MS,
    `approvals.waitMs must be a whole number from 0 to ${MAX_WAIT_MS}.`,
  );
  const isPage = url === undefined || typeof url === 'function' || safePage(url) !== undefined;
  requireOption(isPage, PAGE);
  requireOption(
    typeof source?.get === 'function',
    'approvals need a verifier with approvals.get: pass a service or a client.',
  );
  return {
    waitMs,
    pageOf(id) {
      try {
        return url === undefined ? undefined : safePage(typeof url === 'function' ? url(id) : url + id);
      } catch {
        return undefined;
      }
    },
    async statusOf(id) {
      try {
        return (await source.get(id)).status;
      } catch {
        return undefined;
      }
    },
    async read(id, signal, isPatient) {
      const read = (): Promise<Approval> => source.get(id) as Promise<Approval>;
      try {
        return await orAborted(isPatient ? decisionOf({ read, after, signal }) : read(), signal);
      } catch {
        return undefined;
      }
    },
  };
}

function safePage(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const { protocol, hostname, username, password } = new URL(address);
  const isOwn = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isOwn);
  return isSafe && `${username}${password}` === '' ? address : undefined;
}

/**
 * Returns the id of the approval that is the only thing missing for an `ALLOW`. Returns `undefined` if there is no such
 * approval.
 */
export function lackedApproval(
  { approval_id, dry_run }: Intent,
  reasons: readonly Reason[],
): string | undefined {
  const isAskedOnce = approval_id === undefined && dry_run !== true && reasons.length === 1;
  return isAskedOnce ? askedApproval(reasons)?.id : undefined;
}

/**
 * Creates the idempotency key with which a call is sent again after its approval. If the same call is
 * repeated or runs twice at the same time, all requests have this key. The approval is then used only once.
 */
export async function secondKey(key: string, id: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${key}\n${id}`));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the text for a call that waits for a person, with a space before it. */
export function repeatText(id: string, page: string | undefined): string {
  const place = page === undefined ? '' : ` at ${page}`;
  return ` Wait until a person has approved ${id}${place}. Repeat exactly this call.`;
}
