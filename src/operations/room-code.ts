/** The type of the code of a room. */
import type { Pages } from '../base/pages.ts';

/** The methods of a room as its code has them: a list returns one page, of which the service makes all. */
export type RoomCode<Room> = {
  readonly [Method in keyof Room]: Room[Method] extends (...input: infer Input) => Pages<infer Whole>
    ? (...input: Input) => Promise<Whole>
    : Room[Method];
};
