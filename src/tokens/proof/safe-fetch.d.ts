/** The module behind `#safe-fetch` in package.json: `./node` on Node, and `plain-fetch.ts` elsewhere. */
declare module '#safe-fetch' {
  /** Fetches as `fetch` does; with `highPorts` also from ports from 1,024 on. */
  export const safeFetch: (
    url: string,
    request: { readonly signal?: AbortSignal; readonly highPorts?: boolean },
  ) => Promise<Response>;
}
