/** Implements `#safe-fetch` for runtimes without sockets. Such a runtime cannot check the address of a host. */

export async function safeFetch(
  url: string,
  { signal }: { readonly signal?: AbortSignal },
): Promise<Response> {
  // `manual`, not `error`, which Workers do not have: the status of a redirect is not 200.
  return globalThis.fetch(url, { redirect: 'manual', ...(signal !== undefined && { signal }) });
}
