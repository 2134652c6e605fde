/** The type of the module `#safe-fetch` in package.json: `./node` on Node, and `plain-fetch.ts` elsewhere. */
declare module '#safe-fetch' {
  /** Fetches like `fetch`. With `highPorts`, it also connects to the ports from 1,024 on. */
  export const safeFetch: (
    url: string,
    request: { readonly signal?: AbortSignal; readonly highPorts?: boolean },
  ) => Promise<Response>;
}
