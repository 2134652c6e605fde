/** What `folding-reader.mjs` gives. */

/** The call of a tool that such a server runs for a line, with the member `amount` of its arguments. */
export declare function callIn(
  line: string,
  amount?: string,
): { readonly id: unknown; readonly method: unknown; readonly name: unknown; readonly amount: unknown };
