/** Which types of events a text stands for. */
import type { EventType } from '../records/event.ts';
import { EVENT_TYPES } from './vocabulary.ts';

/** The type of that name, or with `passport.*` all of that kind; none for an unknown text. */
export function eventTypesOf(text: string): readonly EventType[] {
  if (!text.endsWith('.*')) return EVENT_TYPES.filter((type) => type === text);
  return EVENT_TYPES.filter((type) => type.startsWith(text.slice(0, -1)));
}
