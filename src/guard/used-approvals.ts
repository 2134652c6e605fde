/** The approvals that runs under a key of the application have used: a copy of the call continues under the same key. */
import type { Intent } from '../records.ts';
import type { Verifier } from './tool-call.ts';

/** An approval that a run has used. */
export interface UsedApproval {
  readonly id: string;
  /** The key under which the verdict used it. */
  readonly key: string;
}

/** The approvals by the keys of the application. */
export interface UsedApprovals {
  /** Notes that the call with this key and intent uses the approval. */
  put(key: string, intent: Intent, used: UsedApproval): void;
  /** Returns the approval that a copy of this call has used. */
  get(key: string, intent: Intent): UsedApproval | undefined;
}

/** The most keys. One more forgets the oldest. */
const MAX_KEYS = 10_000;

/** By the verifier, because a host may make its guard again for each request. */
const all = new WeakMap<Verifier, UsedApprovals>();

/** Returns the approvals that calls of this verifier have used. */
export function usedApprovalsOf(verifier: Verifier): UsedApprovals {
  const found = all.get(verifier) ?? createUsedApprovals();
  all.set(verifier, found);
  return found;
}

function createUsedApprovals(): UsedApprovals {
  const names = new Map<string, UsedApproval>();
  return {
    put(key, intent, used) {
      const [oldest] = names.keys();
      if (oldest !== undefined && names.size >= MAX_KEYS) names.delete(oldest);
      const name = nameOf(key, intent);
      if (name !== undefined) names.set(name, used);
    },
    get(key, intent) {
      const name = names.size === 0 ? undefined : nameOf(key, intent);
      return name === undefined ? undefined : names.get(name);
    },
  };
}

function nameOf(key: string, { approval_id: _, ...intent }: Intent): string | undefined {
  try {
    const name = JSON.stringify([key, intent]);
    return name.length > 65_536 ? undefined : name;
  } catch {
    return undefined;
  }
}
