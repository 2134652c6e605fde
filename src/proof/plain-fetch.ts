/** What `#safe-fetch` stands for where there are no sockets by which an address could be checked. */

/** Fetches by the platform, without redirects. */
export async function safeFetch(
  url: string,
  { signal }: { readonly signal?: AbortSignal },
): Promise<Response> {
  // `manual`, not `error`, which Workers do not have: the status of a redirect is not 200.
  return globalThis.fetch(url, { redirect: 'manual', ...(signal !== undefined && { signal }) });
}
