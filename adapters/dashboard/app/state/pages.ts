import { useEffect, useState } from 'preact/hooks';
import type { Page } from '../../../../src/types.ts';
import { call } from './api.ts';
import { type Loaded, useLoad } from './load.ts';
import { type Task, useTask } from './task.ts';

export interface Pages<T> {
  readonly loaded: Loaded<readonly T[]>;
  readonly hasMore: boolean;
  readonly more: Task;
  readonly showMore: () => void;
}

export function usePages<T>(path: string): Pages<T> {
  const first = useLoad(path, (signal) => call<Page<T>>('GET', path, { signal }));
  const more = useTask();
  const [others, setOthers] = useState<readonly Page<T>[]>([]);
  useEffect(() => setOthers([]), [first.data]);
  const last = others.at(-1) ?? first.data;
  const data = first.data && [first.data, ...others].flatMap((page) => page.data);
  return {
    loaded: { ...first, data },
    hasMore: last?.has_more ?? false,
    more,
    showMore() {
      const cursor = encodeURIComponent(last?.next_cursor ?? '');
      const next = `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
      more.run(async () => {
        const page = await call<Page<T>>('GET', next);
        setOthers((before) => [...before, page]);
      });
    },
  };
}
