/** The part of an intent that is approved, and its digest. */

import { canonicalJson } from '../../base/values/canonical-json.ts';
import { jsonData } from '../../base/values/json-data.ts';
import { digestText } from '../../credential/random-id.ts';
import { hashing } from '../../platform/index.ts';
import type { ApprovedIntent } from '../../records/approval.ts';
import type { Environment, Intent } from '../../records.ts';

/**
 * The approved part, with the SHA-256 of its canonical form (RFC 8785) in hex; `undefined` if it is too large for an
 * approval.
 */
export interface DigestedIntent {
  readonly approved: ApprovedIntent;
  readonly digest: string | undefined;
}

/** The most bytes of a canonical form that a person is asked about. */
const MAX_BYTES = 16_384;

/** The most members, as plain data may have anywhere. */
const MAX_MEMBERS = 10_000;

/**
 * Makes the digest of the whole intent. `invalid_request` for a value that JSON cannot hold: another intent could have
 * the same digest.
 */
export function digestIntent({ agent_id, action, target, parameters, subject }: Intent): DigestedIntent {
  const approved = jsonData({ agent_id, action, target, parameters, subject }, MAX_MEMBERS) as ApprovedIntent;
  const text = canonicalJson(approved);
  const isTooLarge = text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES;
  return { approved, digest: isTooLarge ? undefined : hashing.sha256Hex(text) };
}

/** Returns the id of the approval of an intent after `round` earlier ones. */
export function idOfApproval(
  environment: Environment,
  agent_id: string,
  digest: string,
  round: number,
): string {
  return `apr_${digestText(hashing.sha256Hex([environment, agent_id, digest, round].join('\n')))}`;
}
