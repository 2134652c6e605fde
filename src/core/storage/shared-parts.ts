/** Shares equal parts of the passports in memory: many passports of an account have the same actions and domain. */
import { createBoundedMap } from '../../base/bounded-map.ts';
import { createTextKeeper, flattenString } from '../../base/bytes/flatten-string.ts';

const LEAST_LISTS = 200;

/** Freezes an object deeply. Its texts and lists are then those that equal objects have. */
export type ShareParts = <Copy extends object>(copy: Copy) => Copy;

export function createSharedParts(): ShareParts {
  const keepText = createTextKeeper(flattenString);
  const lists = createBoundedMap<string, readonly unknown[]>(LEAST_LISTS);
  return shareParts;

  function shareParts<Copy extends object>(copy: Copy): Copy {
    const parts = copy as Record<string, unknown>;
    for (const name of Object.keys(parts)) parts[name] = shared(parts[name]);
    return Object.freeze(copy);
  }

  function shared(value: unknown): unknown {
    if (typeof value === 'string') return keepText(value);
    if (Array.isArray(value)) return sharedList(value);
    return typeof value === 'object' && value ? shareParts({ ...value }) : value;
  }

  function sharedList(list: readonly unknown[]): readonly unknown[] {
    // Short, so that the map does not keep long lists twice. Lists with the same key have the same length.
    const [first] = list;
    const key = `${list.length} ${typeof first === 'string' ? first : ''}`;
    const knownList = lists.get(key);
    if (knownList?.every((entry, index) => entry === list[index])) return knownList;
    const ownList = Object.freeze(list.map(shared));
    lists.set(key, ownList);
    return ownList;
  }
}
