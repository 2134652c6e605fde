import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ApiKey, Page, Passport } from '../../../../src/types.ts';
import { call, type Failure, queryOf, toFailure } from './api.ts';
import { signIns } from './session.ts';

interface Search {
  readonly found: readonly Passport[];
  readonly seen: number;
  readonly isDone: boolean;
  readonly loaded: Loaded<true>;
}

const MAX_FOUND = 200;

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

/** Loaded data or an error, with a function that loads it again. Old data stays visible while new data is loading. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

const RETRY_S = 5;

/** Loads data when `key` changes, and retries while the service is down. */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; failure?: Failure; isLoading: boolean }>({
    key,
    isLoading: true,
  });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const again = signIns.value;
  useEffect(() => {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState((before) => ({ ...(before.key === key && before), key, isLoading: true }));
    load(gone.signal).then(
      (data) => gone.signal.aborted || setState({ key, data, isLoading: false }),
      (thrown: unknown) => {
        if (gone.signal.aborted) return;
        const failure = toFailure(thrown);
        setState((before) => ({ ...before, key, failure, isLoading: false }));
        if (isPassing(failure)) timer = setTimeout(reload, (failure.retryAfter ?? RETRY_S) * 1000);
      },
    );
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [key, turn, again]);
  const isOwn = state.key === key;
  return {
    data: isOwn ? state.data : undefined,
    failure: isOwn ? state.failure : undefined,
    isLoading: !isOwn || state.isLoading,
    reload,
  };
}

export function isPassing({ status }: Failure): boolean {
  return status === 0 || status === 503;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Returns the names of the newest keys by id. Older keys are shown by their ids. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const path = '/keys?limit=100';
  const loaded = useLoad(path, async (signal) => {
    const { data } = await call<Page<ApiKey>>('GET', path, { signal });
    return new Map(data.map(({ id, name }) => [id, name]));
  });
  return loaded.data ?? NONE;
}
