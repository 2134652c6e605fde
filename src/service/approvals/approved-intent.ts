/** What is approved of an intent, and its digest. */

import { canonicalJson } from '../../base/values/canonical-json.ts';
import { jsonData } from '../../base/values/json-data.ts';
import { digestText } from '../../credential/random-id.ts';
import { hashing } from '../../platform/index.ts';
import type { ApprovedIntent } from '../../records/approval.ts';
import type { Environment, Intent } from '../../records.ts';

/** What is approved, with the SHA-256 of its form of RFC 8785 in hex; `undefined`: it is too large for an approval. */
export interface DigestedIntent {
  readonly approved: ApprovedIntent;
  readonly digest: string | undefined;
}

/** Bytes of the canonical form that a person may be asked about. */
const MAX_BYTES = 16_384;

/** As many members as plain data may have anywhere. */
const MAX_MEMBERS = 10_000;

/** Of all of an intent. `invalid_request` for what JSON does not carry: another intent could have the same digest. */
export function digestIntent({ agent_id, action, target, parameters, subject }: Intent): DigestedIntent {
  const approved = jsonData({ agent_id, action, target, parameters, subject }, MAX_MEMBERS) as ApprovedIntent;
  const text = canonicalJson(approved);
  const isTooLarge = text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES;
  return { approved, digest: isTooLarge ? undefined : hashing.sha256Hex(text) };
}

/** The id of an approval of an intent, of which there were `round` before. */
export function idOfApproval(
  environment: Environment,
  agent_id: string,
  digest: string,
  round: number,
): string {
  return `apr_${digestText(hashing.sha256Hex([environment, agent_id, digest, round].join('\n')))}`;
}
