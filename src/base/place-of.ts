/** ` at host:port`, where the error of a connection, or one that it is made of, names them; else empty. */
export function placeOf(thrown: unknown): string {
  const { address, hostname, port, errors } = Object(thrown) as Readonly<Record<string, unknown>>;
  if (typeof address === 'string' && typeof port === 'number') {
    return ` at ${address.includes(':') ? `[${address}]` : address}:${port}`;
  }
  if (typeof hostname === 'string') return ` at ${hostname}`;
  return Array.isArray(errors) && errors.length > 0 ? placeOf(errors[0]) : '';
}
