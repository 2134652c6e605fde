/** A map that forgets its oldest entries. */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/**
 * Creates a map that keeps at least the latest `capacity` entries, and at most twice as many. It forgets half of its
 * entries at a time. Recording each use, as an LRU cache does, would take three times as long as a look-up.
 */
export function createBoundedMap<Key, Value>(capacity: number): BoundedMap<Key, Value> {
  let recent = new Map<Key, Value>();
  let earlier = new Map<Key, Value>();
  return {
    get: (key) => recent.get(key) ?? earlier.get(key),
    set(key, value) {
      if (recent.size === capacity && !recent.has(key)) {
        earlier = recent;
        recent = new Map();
      }
      recent.set(key, value);
    },
  };
}
