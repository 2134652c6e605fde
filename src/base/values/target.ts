import { beginnings } from './action.ts';
import { isHost } from './agent-id.ts';

const DID = /^did:[a-z0-9]+:[\w.:-]*(?:%[\dA-Fa-f]{2}[\w.:-]*)*(?<!:)$/;
const ANY_SUBDOMAIN = 'did:web:*.';

export interface TargetSet {
  readonly exact: readonly string[];
  /** The patterns. Each is the suffix that a matching host must have, such as `.example.com`. */
  readonly patterns: readonly string[];
}

/** Says whether the text is a DID (DID Core 3.1): `did:`, a method, `:`, and an identifier that does not end in `:`. */
export function isDid(text: string): boolean {
  return DID.test(text);
}

/**
 * Says whether the text is `did:web:*.` and a domain without port. The pattern covers every sub-domain, but not the
 * domain itself.
 */
export function isTargetPattern(text: string): boolean {
  return text.startsWith(ANY_SUBDOMAIN) && isHost(text.slice(ANY_SUBDOMAIN.length));
}

export function isTargetEntry(text: string): boolean {
  return isDid(text) || isTargetPattern(text);
}

/**
 * Returns a function that says whether an entry is within all lists. That is true if each list covers every target that
 * the entry covers. All entries must satisfy `isTargetEntry`.
 */
export function targetsWithin(lists: readonly (readonly string[])[]): (entry: string) => boolean {
  // Entries were checked when they were stored: to check each host again takes longer than all the rest.
  const read = lists.map((entries) => {
    const patterns = entries.filter((entry) => entry.startsWith(ANY_SUBDOMAIN));
    return { exact: new Set(entries), isBelow: beginnings(patterns.map(hostBackwards)) };
  });
  return (entry) => {
    const otherTargets = read.filter(({ exact }) => !exact.has(entry));
    if (otherTargets.length === 0) return true;
    const host = hostBackwards(entry);
    if (!otherTargets.every(({ isBelow }) => isBelow(host))) return false;
    return entry.startsWith(ANY_SUBDOMAIN) || isHost(hostIn(entry));
  };
}

export function targetSet(entries: readonly string[]): TargetSet {
  return {
    exact: entries.filter(isDid),
    patterns: entries.filter(isTargetPattern).map((pattern) => pattern.slice(ANY_SUBDOMAIN.length - 1)),
  };
}

/** Says whether an entry equals the DID, or is a pattern for its host. A text that is not a DID matches no entry. */
export function matchesTarget({ exact, patterns }: TargetSet, did: string): boolean {
  if (exact.includes(did)) return true;
  if (patterns.length === 0 || !isDid(did)) return false;
  // A host with a port matches no pattern.
  const [, method, host = ''] = did.split(':', 3);
  return method === 'web' && patterns.some((suffix) => host.endsWith(suffix)) && isHost(host);
}

function hostIn(entry: string): string {
  const [, method, host = ''] = entry.split(':', 3);
  return method === 'web' ? host : '';
}

/** Returns the labels of the host in reverse order, so that a suffix of the host becomes a prefix. */
function hostBackwards(entry: string): string {
  const host = hostIn(entry);
  return (host.startsWith('*') ? host.slice(1) : host).split('.').reverse().join('.');
}
