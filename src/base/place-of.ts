/**
 * Returns ` at host:port` or ` at host` for a connection error that names its address, or for its first inner error.
 * Otherwise returns an empty text.
 */
export function placeOf(error: unknown): string {
  const { address, hostname, port, errors } = Object(error) as Readonly<Record<string, unknown>>;
  if (typeof address === 'string' && typeof port === 'number') {
    return ` at ${address.includes(':') ? `[${address}]` : address}:${port}`;
  }
  if (typeof hostname === 'string') return ` at ${hostname}`;
  return Array.isArray(errors) && errors.length > 0 ? placeOf(errors[0]) : '';
}
