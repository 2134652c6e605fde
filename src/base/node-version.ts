const LEAST: Readonly<Record<number, number>> = { 20: 19, 22: 12 };
const EVERY_MINOR_SINCE = 23;

/** The versions of a runtime, as in `process.versions`. */
export interface RuntimeVersions {
  readonly node?: string | undefined;
  readonly bun?: string | undefined;
  readonly deno?: string | undefined;
}

/**
 * Returns a line that explains why this version of Node is not supported. Returns `undefined` for a supported version,
 * and for other runtimes.
 */
export function unsupportedNode({ node, bun, deno }: RuntimeVersions): string | undefined {
  if (node === undefined || bun !== undefined || deno !== undefined) return undefined;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major >= EVERY_MINOR_SINCE || minor >= (LEAST[major] ?? Number.POSITIVE_INFINITY)) return undefined;
  return `Node ${node} is not supported: use 20.19 or newer, 22.12 or newer, or any later version.`;
}
