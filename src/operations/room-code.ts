/** The type of the code behind an object such as `service.webhooks`. */
import type { Pages } from '../base/pages.ts';

/** The methods as the code implements them. A list returns one page, from which the service creates all pages. */
export type RoomCode<Room> = {
  readonly [Method in keyof Room]: Room[Method] extends (...input: infer Input) => Pages<infer Whole>
    ? (...input: Input) => Promise<Whole>
    : Room[Method];
};
