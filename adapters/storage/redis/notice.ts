import { type ChangeNotice, WATCHED_COLLECTIONS } from '../../../src/ports/index.ts';

/** A notice with its origin. */
export interface Message {
  readonly marker: string;
  /** The run of the server, as in `runs.ts`. */
  readonly run: string;
  /** The position of the store after the write. */
  readonly position: number;
  readonly notice: ChangeNotice;
}

/** Formats the notice as an argument of the script that writes; the script adds the origin. */
export function noticeText({ collection, id, version }: ChangeNotice): string {
  return `${collection} ${version} ${id}`;
}

/** Parses a message; `undefined` for a text of another program. */
export function readMessage(text: string): Message | undefined {
  const found =
    /^(?<marker>\S+) (?<run>\S*) (?<position>\d{1,16}) (?<name>\w+) (?<version>\d{1,16}) (?<id>.*)$/s;
  const { marker, run, position, name, version, id } = found.exec(text)?.groups ?? {};
  const collection = WATCHED_COLLECTIONS.find((watched) => watched === name);
  if (collection === undefined || marker === undefined || run === undefined || id === undefined)
    return undefined;
  return { marker, run, position: Number(position), notice: { collection, id, version: Number(version) } };
}
