import { type ChangeNotice, WATCHED_COLLECTIONS } from '../../../src/index.ts';

/** The notice as it is told. */
export function noticeText({ collection, id, version }: ChangeNotice): string {
  return `${collection} ${version} ${id}`;
}

/** The notice that was told; `undefined` for what another program says. */
export function readNotice(text: string): ChangeNotice | undefined {
  const [, name, digits, id] = /^(\w+) (\d{1,16}) (.*)$/s.exec(text) ?? [];
  const collection = WATCHED_COLLECTIONS.find((watched) => watched === name);
  if (collection === undefined || id === undefined) return undefined;
  return { collection, id, version: Number(digits) };
}
