/** What `#safe-fetch` of package.json stands for: `./domain-check` on Node, and `plain-fetch.ts` elsewhere. */
declare module '#safe-fetch' {
  /** As `fetch`, with ports from 1,024 on where `highPorts` is set. */
  export const safeFetch: (
    url: string,
    request: { readonly signal?: AbortSignal; readonly highPorts?: boolean },
  ) => Promise<Response>;
}
