import { useState } from 'preact/hooks';
import type { Page, Passport } from '../../../../src/types.ts';
import { call, queryOf } from './api.ts';
import { type Loaded, useLoad } from './load.ts';

/** The results so far. */
export interface Search {
  readonly found: readonly Passport[];
  readonly seen: number;
  readonly isDone: boolean;
  readonly loaded: Loaded<true>;
}

/** The most results that are shown: a longer search text narrows them. */
const MAX_FOUND = 200;

/** Reads all passports of a status, and keeps those that contain `text`. Results appear as they are found. */
export function useSearch(text: string, status: string): Search {
  const [{ found, seen }, setState] = useState<Pick<Search, 'found' | 'seen'>>({ found: [], seen: 0 });
  const loaded = useLoad<true>(`${status}\n${text}`, async (signal) => {
    const wanted = text.toLowerCase();
    let result: readonly Passport[] = [];
    let read = 0;
    let cursor: string | undefined;
    do {
      const page: Page<Passport> = await call('GET', `/passports${queryOf({ status, limit: 100, cursor })}`, {
        signal,
      });
      read += page.data.length;
      result = [...result, ...page.data.filter((passport) => matches(passport, wanted))].slice(0, MAX_FOUND);
      if (signal.aborted) break;
      setState({ found: result, seen: read });
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined && result.length < MAX_FOUND);
    return true;
  });
  return {
    found,
    seen,
    isDone: !loaded.isLoading,
    loaded: { ...loaded, data: loaded.data ?? (seen > 0 ? true : undefined) },
  };
}

function matches({ agent_id, description = '' }: Passport, wanted: string): boolean {
  return agent_id.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted);
}
