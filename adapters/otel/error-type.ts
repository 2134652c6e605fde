/** The `error.type` of an error: our code, else the name of its class. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as { readonly code?: unknown };
  return error.name === 'IdentityError' && typeof code === 'string' ? code : error.name;
}
