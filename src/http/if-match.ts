import { trimWhiteSpace } from '../base/white-space.ts';
import { invalidRequest } from '../errors.ts';
import type { UpdateOptions } from '../service.ts';

const TAG = /^(W\/)?"([\x21\x23-\x7e]*)"$/;

/**
 * What `If-Match` (RFC 9110 section 13.1.1) allows to be changed. Weak tags never match; a header that is no
 * list of tags is `invalid_request`, so that a broken condition is not read as an absent one.
 */
export function readIfMatch(header: string | undefined): UpdateOptions {
  if (header === undefined || trimWhiteSpace(header) === '*') return {};
  // A list may have empty elements (RFC 9110 section 5.6.1), but not nothing else.
  const elements = header
    .split(',')
    .map(trimWhiteSpace)
    .filter((element) => element !== '');
  const tags = elements.map((element) => TAG.exec(element));
  if (tags.length === 0 || tags.includes(null)) {
    throw invalidRequest([
      { path: '', code: 'malformed', message: 'If-Match must be * or a list of ETags.' },
    ]);
  }
  const strong = tags.filter((tag) => tag?.[1] === undefined).map((tag) => tag?.[2] ?? '');
  return { ifVersion: strong.filter((tag) => /^[1-9]\d{0,15}$/.test(tag)).map(Number) };
}
