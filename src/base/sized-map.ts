/** A map with a maximum size. It removes the entries first that were not used for the longest time. */
export interface SizedMap<Key, Value> {
  /** Returns a value, and does not count as a use. */
  peek(key: Key): Value | undefined;
  /** Returns a value, and makes it the most recently used one. */
  get(key: Key): Value | undefined;
  /** Adds or replaces a value. A value above the maximum size is not stored. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

/** The limits of a `SizedMap`. */
export interface SizedMapOptions<Key, Value> {
  readonly maxSize: number;
  /** Returns the size of a value, which must not change. */
  readonly sizeOf: (value: Value) => number;
  /** Called with each value that is removed or replaced. */
  readonly dispose?: (value: Value, key: Key) => void;
}

export function createSizedMap<Key, Value>(options: SizedMapOptions<Key, Value>): SizedMap<Key, Value> {
  const { maxSize, sizeOf, dispose } = options;
  /** In the order of their last use. */
  const entries = new Map<Key, Value>();
  // One iterator for all removals: a new one would first walk over the places of all entries that were removed.
  let oldest = entries.entries();
  let size = 0;

  function remove(key: Key): void {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    size -= sizeOf(value);
    dispose?.(value, key);
  }

  function removeOldest(): void {
    const next = oldest.next();
    if (next.done) oldest = entries.entries();
    else remove(next.value[0]);
  }

  return {
    peek: (key) => entries.get(key),
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      remove(key);
      const added = sizeOf(value);
      if (added > maxSize) return;
      while (size + added > maxSize) removeOldest();
      entries.set(key, value);
      size += added;
    },
    delete: remove,
  };
}
