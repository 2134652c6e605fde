/** The least minor version of Node that the package is tested on, by major version. */
const LEAST: Readonly<Record<number, number>> = { 20: 19, 22: 12 };
const EVERY_MINOR_SINCE = 23;

/** What a runtime says of its versions, as in `process.versions`. */
export interface RuntimeVersions {
  readonly node?: string | undefined;
  readonly bun?: string | undefined;
  readonly deno?: string | undefined;
}

/** Why this version of Node is not supported, in one line; `undefined` for one that is, and for other runtimes. */
export function unsupportedNode({ node, bun, deno }: RuntimeVersions): string | undefined {
  if (node === undefined || bun !== undefined || deno !== undefined) return undefined;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major >= EVERY_MINOR_SINCE || minor >= (LEAST[major] ?? Number.POSITIVE_INFINITY)) return undefined;
  return `Node ${node} is not supported: use 20.19 or newer, 22.12 or newer, or any later version.`;
}
