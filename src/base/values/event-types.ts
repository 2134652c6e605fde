import type { EventType } from '../../records/event.ts';
import { EVENT_TYPES } from './vocabulary.ts';

/**
 * Returns the event type with this name, or for `passport.*` all types that begin with `passport.`; an empty list for
 * an unknown text.
 */
export function eventTypesOf(text: string): readonly EventType[] {
  if (!text.endsWith('.*')) return EVENT_TYPES.filter((type) => type === text);
  return EVENT_TYPES.filter((type) => type.startsWith(text.slice(0, -1)));
}

/** Says whether events of this type come from the journal. These are verdicts and outcomes. */
export function isFromJournal(type: string): boolean {
  return type.startsWith('verdict.') || type.startsWith('outcome.');
}
