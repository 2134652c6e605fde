import { isHost } from './agent-id.ts';

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

/** Whether an entry names every target that another one names. Both satisfy `isTargetEntry`. */
export function coversTarget(entry: string, other: string): boolean {
  if (entry === other) return true;
  if (!isTargetPattern(entry)) return false;
  // The end of a host, with its leading dot.
  const suffix = entry.slice(ANY_SUBDOMAIN.length - 1);
  return isTargetPattern(other) ? other.endsWith(suffix) : matchesTarget(targetSet([entry]), other);
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
