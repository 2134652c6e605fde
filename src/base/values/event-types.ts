import type { EventType } from '../../records/event.ts';
import { EVENT_TYPES } from './vocabulary.ts';

export function eventTypesOf(text: string): readonly EventType[] {
  if (!text.endsWith('.*')) return EVENT_TYPES.filter((type) => type === text);
  return EVENT_TYPES.filter((type) => type.startsWith(text.slice(0, -1)));
}

export function isFromJournal(type: string): boolean {
  return type.startsWith('verdict.') || type.startsWith('outcome.');
}
