import type { ApiKey, Page } from '../../../../src/types.ts';
import { call } from './api.ts';
import { useLoad } from './load.ts';

const NONE: ReadonlyMap<string, string> = new Map();

/** Returns the names of the newest keys by their ids. Older keys are shown by their ids. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const path = '/keys?limit=100';
  const loaded = useLoad(path, async (signal) => {
    const { data } = await call<Page<ApiKey>>('GET', path, { signal });
    return new Map(data.map(({ id, name }) => [id, name]));
  });
  return loaded.data ?? NONE;
}
