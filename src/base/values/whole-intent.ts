import type { ApprovedIntent } from '../../records/approval.ts';
import type { Intent } from '../../records.ts';
import { jsonData } from './json-data.ts';

/** The most members, as plain data may have anywhere. */
const MAX_MEMBERS = 10_000;

/**
 * Returns the part of an intent that says what is done: that of an approval and of a permit. `invalid_request` for a
 * value that JSON cannot hold: another intent could have the same digest.
 */
export function wholeIntent({ agent_id, action, target, parameters, subject }: Intent): ApprovedIntent {
  return jsonData({ agent_id, action, target, parameters, subject }, MAX_MEMBERS) as ApprovedIntent;
}
