import type { EventType } from '../../records/event.ts';
import { EVENT_TYPES } from './vocabulary.ts';

/** Returns the type of that name, or for `passport.*` all types of that kind; empty for an unknown text. */
export function eventTypesOf(text: string): readonly EventType[] {
  if (!text.endsWith('.*')) return EVENT_TYPES.filter((type) => type === text);
  return EVENT_TYPES.filter((type) => type.startsWith(text.slice(0, -1)));
}

/** Says whether events of the type are read from the journal: verdicts and outcomes. */
export function isFromJournal(type: string): boolean {
  return type.startsWith('verdict.') || type.startsWith('outcome.');
}
