/** The `#safe-fetch` for runtimes without sockets, which cannot check the address of a host. */

/** Fetches with the platform's `fetch`, without redirects. */
export async function safeFetch(
  url: string,
  { signal }: { readonly signal?: AbortSignal },
): Promise<Response> {
  // `manual`, not `error`, which Workers do not have: the status of a redirect is not 200.
  return globalThis.fetch(url, { redirect: 'manual', ...(signal !== undefined && { signal }) });
}
