import { type ChangeNotice, WATCHED_COLLECTIONS } from '../../../src/ports/index.ts';

export interface Message {
  readonly identity: string;
  /** The incarnation of the server: a period in which one process accepts writes. See `incarnations.ts`. */
  readonly incarnation: string;
  /** The write counter of the store after the write. */
  readonly writeCounter: number;
  readonly notice: ChangeNotice;
}

/** Formats the notice as an argument of the writing script. The script adds the origin. */
export function noticeText({ collection, id, version }: ChangeNotice): string {
  return `${collection} ${version} ${id}`;
}

/** Parses a message; returns `undefined` for a text of another program. */
export function readMessage(text: string): Message | undefined {
  const found =
    /^(?<identity>\S+) (?<incarnation>\S*) (?<writeCounter>\d{1,16}) (?<name>\w+) (?<version>\d{1,16}) (?<id>.*)$/s;
  const { identity, incarnation, writeCounter, name, version, id } = found.exec(text)?.groups ?? {};
  const collection = WATCHED_COLLECTIONS.find((watched) => watched === name);
  if (collection === undefined || identity === undefined || incarnation === undefined || id === undefined)
    return undefined;
  return {
    identity,
    incarnation,
    writeCounter: Number(writeCounter),
    notice: { collection, id, version: Number(version) },
  };
}
