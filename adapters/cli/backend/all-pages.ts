import type { Page } from '../../../src/index.ts';

/** Every page as one: cursors of a verb would end with it. */
export async function allPages<Whole extends Page<unknown>>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Whole>,
): Promise<Whole> {
  const first = await read({ limit: 100 });
  const data = [...first.data];
  let cursor = first.next_cursor;
  while (cursor !== null) {
    const page = await read({ limit: 100, cursor });
    data.push(...page.data);
    cursor = page.next_cursor;
  }
  return { ...first, data, has_more: false, next_cursor: null };
}
