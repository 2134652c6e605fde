/** The context of a question: its caller and its mode. Few contexts differ, so a block holds each once. */
import type { VerdictRecord } from '../records.ts';

/** The fields of a record that make up its context. */
export type AskContext = Pick<VerdictRecord, 'environment' | 'dry_run' | 'currency' | 'key_id'>;

/** Writes a context as text. */
export function contextText({ environment, dry_run, currency, key_id }: AskContext): string {
  return JSON.stringify([environment, dry_run, currency, key_id]);
}

/** Says whether two contexts have the same text. */
export function isSameContext(one: AskContext, other: AskContext): boolean {
  return (
    one.key_id === other.key_id &&
    one.currency === other.currency &&
    one.environment === other.environment &&
    one.dry_run === other.dry_run
  );
}

/** Reads the text of `contextText`. */
export function readContext(text: string): AskContext {
  const [environment, dry_run, currency, key_id] = JSON.parse(text);
  return { environment, dry_run, currency, key_id };
}
