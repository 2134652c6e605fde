/**
 * Throws unless two values are equal as plain data and bytes. An absent field differs from `null`. The order of names
 * does not matter.
 */
export function assertEqual(actual: unknown, expected: unknown, claim: string): void {
  const place = difference(actual, expected, '');
  if (place === undefined) return;
  const where = place === '' ? '' : `, different at ${place}`;
  throw new Error(`${claim}: expected ${show(expected)}, got ${show(actual)}${where}`);
}

export function assert(condition: boolean, claim: string): asserts condition {
  if (!condition) throw new Error(claim);
}

export async function assertRejects(promise: Promise<unknown>, claim: string): Promise<void> {
  const outcome = await promise.then(
    (value) => `it resolved with ${show(value)}`,
    (reason: unknown) => (reason instanceof Error ? undefined : `it rejected with ${show(reason)}`),
  );
  if (outcome !== undefined) throw new Error(`${claim}: expected an error, ${outcome}`);
}

function difference(a: unknown, b: unknown, path: string): string | undefined {
  if (Object.is(a, b)) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return path;
  if (a instanceof Uint8Array || b instanceof Uint8Array) return areSameBytes(a, b) ? undefined : path;
  if (Array.isArray(a) !== Array.isArray(b)) return path;
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const inside = `${path}[${JSON.stringify(name)}]`;
    if (!(Object.hasOwn(a, name) && Object.hasOwn(b, name))) return inside;
    const place = difference(field(a, name), field(b, name), inside);
    if (place !== undefined) return place;
  }
  return undefined;
}

function areSameBytes(a: object, b: object): boolean {
  if (!(a instanceof Uint8Array && b instanceof Uint8Array) || a.length !== b.length) return false;
  return a.every((byte, at) => byte === b[at]);
}

function field(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function show(value: unknown): string {
  const text = JSON.stringify(value, spellBytes) ?? String(value);
  return text.length <= 300 ? text : `${text.slice(0, 300)}… (${text.length} characters)`;
}

function spellBytes(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? `${value.length} bytes: ${value.subarray(0, 16).join(' ')}` : value;
}
