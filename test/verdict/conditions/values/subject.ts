/** What the generators of values share. */
import type { Draw } from '../draw.ts';
import type { Condition } from '../reference.ts';

/** What the generators know of a test. */
export interface Subject {
  /** The test with its value, as a condition has it. */
  readonly test: (draw: Draw) => Omit<Condition, 'at'>;
  /** Mostly passes. */
  readonly passing: (draw: Draw, condition: Condition) => unknown;
  /** Mostly fails, by as little as possible. */
  readonly near: (draw: Draw, condition: Condition) => unknown;
}

export const put = (form: string, text: string): string => form.replaceAll('{}', () => text);

export const letters = (text: string): string =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();

export const list = (condition: Condition, name: keyof Condition): readonly string[] =>
  condition[name] as readonly string[];

/** The same text or number in another type or form. */
export function disguised(draw: Draw, value: unknown): unknown {
  const text = String(value);
  return draw.one<unknown>([
    letters(text),
    `${text} `,
    ` ${text}`,
    `${text}\u0000`,
    text,
    Number(text) || 0,
    `${text}x`,
    text.slice(1),
    { value },
    null,
  ]);
}
