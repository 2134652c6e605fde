import { type ChangeNotice, WATCHED_COLLECTIONS } from '../../../src/ports/index.ts';

export interface Message {
  readonly identity: string;
  readonly incarnation: string;
  readonly writeCounter: number;
  readonly notice: ChangeNotice;
}

/**
 * Formats the notice as an argument of the writing script. The script adds the identity, the incarnation and the write
 * counter.
 */
export function noticeText({ collection, id, version }: ChangeNotice): string {
  return `${collection} ${version} ${id}`;
}

export function readMessage(text: string): Message | undefined {
  const exp =
    /^(?<identity>\S+) (?<incarnation>\S*) (?<writeCounter>\d{1,16}) (?<name>\w+) (?<version>\d{1,16}) (?<id>.*)$/s;
  const { identity, incarnation, writeCounter, name, version, id } = exp.exec(text)?.groups ?? {};
  const collection = WATCHED_COLLECTIONS.find((watchedCollection) => watchedCollection === name);
  if (collection === undefined || identity === undefined || incarnation === undefined || id === undefined)
    return undefined;
  return {
    identity,
    incarnation,
    writeCounter: Number(writeCounter),
    notice: { collection, id, version: Number(version) },
  };
}
