import type { Page } from '../records.ts';

/** Awaiting the value gives the first page. `for await` gives the first page and all later pages. */
export type Pages<Whole extends Page<unknown>> = Promise<Whole> & AsyncIterable<Whole>;

/** Returns the first page, from which later pages can be read. */
export function pagesOf<Whole extends Page<unknown>>(
  read: (cursor?: string) => Promise<Whole>,
): Pages<Whole> {
  const first = read();
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      let page = await first;
      for (;;) {
        yield page;
        if (page.next_cursor === null) return;
        page = await read(page.next_cursor);
      }
    },
  });
}
