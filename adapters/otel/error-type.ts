/** Returns the `error.type` of an error: its code if it is ours, the name of its class otherwise. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as { readonly code?: unknown };
  return error.name === 'IdentityError' && typeof code === 'string' ? code : error.name;
}
