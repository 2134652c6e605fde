/** Tries to change everything that can be reached from a value: what a hostile rule or caller might do. */
export function spoil(value: unknown, seen: Set<unknown> = new Set()): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
  seen.add(value);
  const names = Reflect.ownKeys(value).filter((name) => !(Array.isArray(value) && name === 'length'));
  for (const name of names) spoil(Reflect.getOwnPropertyDescriptor(value, name)?.value, seen);
  if (value instanceof Map || value instanceof Set) {
    for (const part of [...value.keys(), ...value.values()]) spoil(part, seen);
    value.clear();
  }
  for (const name of names) {
    const before = Reflect.getOwnPropertyDescriptor(value, name)?.value;
    // What allows more: no list, no instant, a great limit.
    const next = typeof before === 'number' ? 1e15 : typeof before === 'string' ? '*' : undefined;
    Reflect.set(value, name, next);
    Reflect.defineProperty(value, name, { value: next, configurable: true });
    Reflect.deleteProperty(value, name);
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0);
  for (const name of ['includes', 'some', 'every']) Reflect.set(value, name, () => true);
  Reflect.set(value, 'status', 'active');
  Reflect.setPrototypeOf(value, null);
}

/** Every object and function that can be reached from a value by its own members. */
export function partsOf(value: unknown, seen: Set<object> = new Set()): ReadonlySet<object> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
    return seen;
  seen.add(value);
  for (const name of Reflect.ownKeys(value))
    partsOf(Reflect.getOwnPropertyDescriptor(value, name)?.value, seen);
  return seen;
}

/** The list with every method, its iterator and what it is made of by others replaced by lies, all on itself. */
export function lyingList<Item>(list: readonly Item[]): Item[] {
  const liar = [...list];
  for (const name of Reflect.ownKeys(Array.prototype)) {
    if (name === 'length') continue;
    Reflect.defineProperty(liar, name, { value: () => true, configurable: true });
  }
  Reflect.defineProperty(liar, Symbol.iterator, { value: () => [][Symbol.iterator]() });
  return liar;
}
