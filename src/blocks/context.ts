/** What a record says of who asked and how: few differ, so that a block holds each set of them once. */
import type { VerdictRecord } from '../records.ts';

/** These fields of a record. */
export type AskContext = Pick<VerdictRecord, 'environment' | 'dry_run' | 'currency' | 'key_id'>;

/** The text of a context. */
export function contextText({ environment, dry_run, currency, key_id }: AskContext): string {
  return JSON.stringify([environment, dry_run, currency, key_id]);
}

/** Whether two contexts have the same text. */
export function isSameContext(one: AskContext, other: AskContext): boolean {
  return (
    one.key_id === other.key_id &&
    one.currency === other.currency &&
    one.environment === other.environment &&
    one.dry_run === other.dry_run
  );
}

/** The context of a text that `contextText` made. */
export function readContext(text: string): AskContext {
  const [environment, dry_run, currency, key_id] = JSON.parse(text);
  return { environment, dry_run, currency, key_id };
}
