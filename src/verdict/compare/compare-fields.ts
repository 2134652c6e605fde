import { formatInstant } from '../../base/values/instant.ts';
import type { Comparison, Difference } from '../../records/comparison.ts';
import type { Passport } from '../../records.ts';
import { attempt } from '../read.ts';
import { compare, onlyAllowedBy, resultOf } from './compare.ts';
import { fieldsAlone, type Versions } from './fields-alone.ts';
import { isReadable, type Side, sideOf } from './side.ts';

/**
 * Compares two versions of a passport as `compare` does, and each field alone as well: with all other fields at their
 * most permissive value of both versions. `wider` then has what a field lets happen although another one denies it now,
 * without an intent. Use it where no change may widen behind a field that is removed later. Never throws.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 * import { compare, compareFields } from 'agent-identity-service/verdict';
 *
 * const service = createIdentityService({ storage: memoryStorage() });
 * const [domain, agent_name] = ['example.com', 'buyer'];
 * const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 100 };
 * const before = await service.passports.create({ domain, agent_name, ...may });
 * const after = { ...before, denied_actions: ['*'], monetary_limit_per_txn: 1000 };
 * console.log(compare(before, after).result, compareFields(before, after).result); // narrower crossing
 */
export function compareFields(before: Passport, after: Passport): Comparison {
  const { wider, narrower } = compare(before, after);
  const [earlier, later] = [sideOf(before), sideOf(after)];
  const isComparable = isReadable(earlier) && isReadable(later) && earlier.agent_id === later.agent_id;
  if (!isComparable) return { result: resultOf(wider.length > 0, narrower.length > 0), wider, narrower };
  const hidden = attempt(() => hiddenBy(before, after, earlier)) ?? [unseen('rule_failed', earlier)];
  const known = new Set(wider.map(({ code }) => code));
  const all = [...wider, ...hidden.filter(({ code }) => !known.has(code))];
  return { result: resultOf(all.length > 0, narrower.length > 0), wider: all, narrower };
}

/** Returns what single fields let happen, one difference for each code. */
function hiddenBy(before: Passport, after: Passport, side: Side): readonly Difference[] {
  const found = fieldsAlone(before, after).flatMap((versions) => widerIn(versions, side));
  return [...new Map(found.map((one) => [one.code, one])).values()];
}

/** Compares a field in each currency in which both values can be read. */
function widerIn(versions: readonly Versions[], side: Side): readonly Difference[] {
  const sides = versions.map((pair) => pair.map(sideOf)).filter((pair) => pair.every(isReadable));
  // A field that cannot be compared counts: no error makes a passport look narrower than it is.
  if (sides.length === 0) return [unseen('rule_failed', side)];
  return sides.flatMap(([earlier, later]) =>
    earlier === undefined || later === undefined
      ? []
      : onlyAllowedBy(later, earlier).map(({ code }) => unseen(code, side)),
  );
}

function unseen(code: Difference['code'], { changed }: Side): Difference {
  return { code, reasons: [], intent: null, at: formatInstant(changed), allowed: {}, denied: {} };
}
