import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Failure, toFailure } from './api.ts';
import { signIns } from './session.ts';

/** Loaded data or its error, and a function that loads it again. Old data stays visible while new data is loading. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

const RETRY_S = 5;

/** Loads when `key` changes, and retries while the service is down. */
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

/** Says whether the same call may succeed a moment later. */
export function isPassing({ status }: Failure): boolean {
  return status === 0 || status === 503;
}
