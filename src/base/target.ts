import { isHost } from './agent-id.ts';
import { beginnings } from './beginnings.ts';

const DID = /^did:[a-z0-9]+:[\w.:-]*(?:%[\dA-Fa-f]{2}[\w.:-]*)*(?<!:)$/;
const ANY_SUBDOMAIN = 'did:web:*.';

/** Entries of `allowed_targets`, made ready for look-ups. */
export interface TargetSet {
  readonly exact: readonly string[];
  /** The patterns without `did:web:*`: what a host must end in, with its leading dot. */
  readonly patterns: readonly string[];
}

/** Whether the text is a DID (DID Core 3.1): `did:`, a method, `:`, an identifier that does not end in `:`. */
export function isDid(text: string): boolean {
  return DID.test(text);
}

/** Whether the text is `did:web:*.` and a domain without port: every sub-domain of it, not the domain itself. */
export function isTargetPattern(text: string): boolean {
  return text.startsWith(ANY_SUBDOMAIN) && isHost(text.slice(ANY_SUBDOMAIN.length));
}

/** Whether the text may stand in `allowed_targets`. */
export function isTargetEntry(text: string): boolean {
  return isDid(text) || isTargetPattern(text);
}

/** Says of an entry whether each of the lists names every target that it names. All satisfy `isTargetEntry`. */
export function targetsWithin(lists: readonly (readonly string[])[]): (entry: string) => boolean {
  // Entries were checked when they were stored: to look at each host again takes longer than all the rest.
  const read = lists.map((entries) => {
    const patterns = entries.filter((entry) => entry.startsWith(ANY_SUBDOMAIN));
    return { exact: new Set(entries), isBelow: beginnings(patterns.map(hostBackwards)) };
  });
  return (entry) => {
    const others = read.filter(({ exact }) => !exact.has(entry));
    if (others.length === 0) return true;
    const host = hostBackwards(entry);
    if (!others.every(({ isBelow }) => isBelow(host))) return false;
    return entry.startsWith(ANY_SUBDOMAIN) || isHost(hostIn(entry));
  };
}

/** The entries as a set; each must satisfy `isTargetEntry`. */
export function targetSet(entries: readonly string[]): TargetSet {
  return {
    exact: entries.filter(isDid),
    patterns: entries.filter(isTargetPattern).map((pattern) => pattern.slice(ANY_SUBDOMAIN.length - 1)),
  };
}

/** Whether an entry names the DID, or is a pattern for its host. Text that is not a DID matches nothing. */
export function matchesTarget({ exact, patterns }: TargetSet, did: string): boolean {
  if (exact.includes(did)) return true;
  if (patterns.length === 0 || !isDid(did)) return false;
  // A host with a port matches no pattern.
  const [, method, host = ''] = did.split(':', 3);
  return method === 'web' && patterns.some((suffix) => host.endsWith(suffix)) && isHost(host);
}

/** The host of a `did:web:`, of a pattern with a star before its first dot; `''` for any other DID. */
function hostIn(entry: string): string {
  const [, method, host = ''] = entry.split(':', 3);
  return method === 'web' ? host : '';
}

/** The labels of that host, the last one first, so that what it ends in is a beginning. */
function hostBackwards(entry: string): string {
  const host = hostIn(entry);
  return (host.startsWith('*') ? host.slice(1) : host).split('.').reverse().join('.');
}
