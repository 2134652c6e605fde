/** The part of an intent, or the change, that is approved, and its digest. */

import { canonicalJson } from '../../base/values/canonical-json.ts';
import { PERMIT_SECONDS } from '../../base/values/permit-format.ts';
import { wholeIntent } from '../../base/values/whole-intent.ts';
import { digestText } from '../../credential/random-id.ts';
import { hashing } from '../../platform/index.ts';
import type { ApprovedIntent } from '../../records/approval.ts';
import type { Environment, Intent, PassportPatch } from '../../records.ts';

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

/**
 * Makes the digest of the whole intent. `invalid_request` for a value that JSON cannot hold: another intent could have
 * the same digest.
 */
export function digestIntent(intent: Intent): DigestedIntent {
  const approved = approvedPart(intent);
  const text = canonicalJson(approved);
  const isTooLarge = text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES;
  return { approved, digest: isTooLarge ? undefined : hashing.sha256Hex(text) };
}

/** Returns the action and the permit of an intent: a permit is approved with its audience, life and binding. */
function approvedPart(intent: Intent): ApprovedIntent {
  const whole = wholeIntent(intent);
  if (intent.permit === undefined) return whole;
  const { audience, seconds = PERMIT_SECONDS, bind = false } = intent.permit;
  return Object.freeze({ ...whole, permit: Object.freeze({ audience, seconds, bind }) });
}

/** The change of a passport that is approved. */
export interface DigestedChange {
  readonly agent_id: string;
  readonly patch: PassportPatch;
  /** The version that it changes. */
  readonly version: number;
}

/** Makes the digest of a change, which no intent has: an intent names no kind. */
export function digestChange({ agent_id, patch, version }: DigestedChange): string {
  return hashing.sha256Hex(canonicalJson({ kind: 'change', agent_id, patch, version }));
}

/** Returns the id of an approval after `round` earlier ones. */
export function idOfApproval(
  environment: Environment,
  agent_id: string,
  digest: string,
  round: number,
): string {
  return `apr_${digestText(hashing.sha256Hex([environment, agent_id, digest, round].join('\n')))}`;
}
