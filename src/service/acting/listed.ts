/** Makes a method of a list return every page. */
import { type Pages, pagesOf } from '../../base/pages.ts';
import type { Page } from '../../records.ts';

type Method = (...input: readonly unknown[]) => Promise<unknown>;

/** Makes a method return the first page, and by `for await` every page; `at` is the index of its query. */
export function listed(method: Method, at: number): (...input: readonly unknown[]) => Pages<Page<unknown>> {
  return (...input) =>
    pagesOf((cursor) => {
      const query = cursor === undefined ? input[at] : { ...Object(input[at]), cursor };
      return method(...input.slice(0, at), query, ...input.slice(at + 1)) as Promise<Page<unknown>>;
    });
}
