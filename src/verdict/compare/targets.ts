/** The targets of which one passport allows some and another one does not. */
import { isHost } from '../../base/values/agent-id.ts';
import { type TargetSet, targetsWithin } from '../../base/values/target.ts';
import type { ReasonCode } from '../../records.ts';

/** The targets to ask with. */
export interface Targets {
  /** A target that the allowing passport allows; one that both allow, if there is one. */
  readonly usual: string | undefined;
  /** Targets that the allowing passport alone allows, with the code of the other one. */
  readonly differing: readonly { readonly code: ReasonCode; readonly target: string | undefined }[];
}

const ANY_HOST = 'did:web:*';
const LONGEST_HOST = 253;

/** Returns the targets to ask two passports with; `undefined` when the first one allows no target. */
export function targetsOf(
  allowing: TargetSet | undefined,
  denying: TargetSet | undefined,
): Targets | undefined {
  const taken = new Set([...(allowing?.exact ?? []), ...(denying?.exact ?? [])]);
  const some = (entries: readonly string[]): string | undefined => {
    for (const entry of entries) {
      const target = targetIn(entry, taken);
      if (target !== undefined) return target;
    }
    return undefined;
  };
  const named = entriesOf(allowing);
  const ours = entriesOf(denying);
  if (allowing === undefined) {
    const elsewhere = unlisted('did:example:any', taken);
    if (denying === undefined) return { usual: undefined, differing: [] };
    const differing = [
      { code: 'target_required', target: undefined },
      { code: 'target_not_allowed', target: elsewhere },
    ] as const;
    return { usual: some(ours), differing };
  }
  const first = some(named);
  if (first === undefined) return undefined;
  if (denying === undefined) return { usual: first, differing: [] };
  const isInside = targetsWithin([ours]);
  const isNamed = targetsWithin([named]);
  const outside = some(named.filter((entry) => !isInside(entry)));
  return {
    usual: some(named.filter(isInside)) ?? some(ours.filter(isNamed)) ?? first,
    differing: outside === undefined ? [] : [{ code: 'target_not_allowed', target: outside }],
  };
}

function entriesOf(set: TargetSet | undefined): readonly string[] {
  return set === undefined ? [] : [...set.exact, ...set.patterns.map((suffix) => ANY_HOST + suffix)];
}

/**
 * Returns a target that the entry names and no narrower entry; `undefined` for a pattern whose host leaves no room for
 * a label.
 */
function targetIn(entry: string, taken: ReadonlySet<string>): string | undefined {
  if (!entry.startsWith(ANY_HOST)) return entry;
  const suffix = entry.slice(ANY_HOST.length);
  const host = 'any'.slice(0, Math.max(0, LONGEST_HOST - suffix.length)) + suffix;
  return isHost(host) ? unlisted(`did:web:${host}`, taken) : undefined;
}

/** Returns the DID, or the DID with a path, such that no list names it exactly. */
function unlisted(did: string, taken: ReadonlySet<string>): string {
  let path = '';
  for (let number = 1; taken.has(did + path); number += 1) path = `:${number}`;
  return did + path;
}
