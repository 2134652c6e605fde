/** Says whether `If-None-Match` names the ETag, by the weak comparison that RFC 9110 requires. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const given = part.trim();
    return given === '*' || given.replace(/^W\//, '') === etag;
  });
}
