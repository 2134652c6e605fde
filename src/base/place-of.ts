/**
 * Returns ` at host:port` if a connection error, or the first of its inner errors, contains both; else an empty text.
 */
export function placeOf(thrown: unknown): string {
  const { address, hostname, port, errors } = Object(thrown) as Readonly<Record<string, unknown>>;
  if (typeof address === 'string' && typeof port === 'number') {
    return ` at ${address.includes(':') ? `[${address}]` : address}:${port}`;
  }
  if (typeof hostname === 'string') return ` at ${hostname}`;
  return Array.isArray(errors) && errors.length > 0 ? placeOf(errors[0]) : '';
}
