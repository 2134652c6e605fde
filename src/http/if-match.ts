import { trimWhiteSpace } from '../base/values/white-space.ts';
import type { UpdateOptions } from '../core.ts';
import { wrongField } from '../errors.ts';

/**
 * Matches the next part of a list of entity-tags (RFC 9110 section 8.8.3): a tag, a comma, white space, or any other
 * character. The text of a tag may contain commas.
 */
const TOKEN = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"|,|[ \t]+|(.)/gs;

/**
 * Reads `If-Match` (RFC 9110 section 13.1.1). Returns the versions that may be changed. Weak tags never match.
 *
 * @throws {IdentityError} `invalid_request` for a malformed header, because the condition of the client must not be
 * ignored.
 */
export function readIfMatch(header: string | undefined): UpdateOptions {
  if (header === undefined || trimWhiteSpace(header) === '*') return {};
  const strong: string[] = [];
  let tags = 0;
  let isBehindTag = false;
  for (const [token, weak, tag, otherToken] of header.matchAll(TOKEN)) {
    if (otherToken !== undefined || (tag !== undefined && isBehindTag)) throw malformed();
    if (token === ',') isBehindTag = false;
    if (tag === undefined) continue;
    isBehindTag = true;
    tags += 1;
    if (weak === undefined) strong.push(tag);
  }
  // A list may have empty elements (RFC 9110 section 5.6.1), but must have one tag.
  if (tags === 0) throw malformed();
  return { ifVersion: strong.filter((tag) => /^[1-9]\d{0,15}$/.test(tag)).map(Number) };
}

function malformed(): Error {
  return wrongField('', 'malformed', 'If-Match must be * or a list of ETags.');
}
