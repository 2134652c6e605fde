/** Compares the issuers that two versions of a passport trust. */
import { isSameJson } from '../../base/values/json-values.ts';
import { coversSubject, WORKLOAD_AGENTS } from '../../base/values/trusted-issuer.ts';
import type { TrustedIssuer } from '../../records.ts';

/**
 * Returns `true` if the first list trusts more than the second. A list that cannot be compared counts as trusting more.
 */
export function trustsMore(one: unknown, other: unknown): boolean {
  if (one === undefined || isSameJson(one, other)) return false;
  try {
    const known = (other ?? []) as readonly TrustedIssuer[];
    return !(one as readonly TrustedIssuer[]).every((entry) => known.some((same) => covers(same, entry)));
  } catch {
    return true;
  }
}

function covers(one: TrustedIssuer, other: TrustedIssuer): boolean {
  if (one.issuer !== other.issuer || one.use !== other.use) return false;
  const isMore = agentsOf(other) > agentsOf(one) || (other.reuse === true && one.reuse !== true);
  return !isMore && coversKeys(one.keys, other.keys) && coversSubjects(one.subjects, other.subjects);
}

function agentsOf({ max_agents = WORKLOAD_AGENTS.default }: TrustedIssuer): number {
  return max_agents;
}

function coversKeys(one: TrustedIssuer['keys'], other: TrustedIssuer['keys']): boolean {
  if (one === undefined || other === undefined) return one === other;
  return other.every(({ kid: _, use: __, alg, ...members }) =>
    one.some(({ kid: ___, use: ____, alg: only, ...same }) => {
      return isSameJson(same, members) && (only === undefined || only === alg);
    }),
  );
}

function coversSubjects(one: TrustedIssuer['subjects'], other: TrustedIssuer['subjects']): boolean {
  if (one === undefined) return true;
  return other?.every((subject) => one.some((entry) => coversSubject(entry, subject))) === true;
}
