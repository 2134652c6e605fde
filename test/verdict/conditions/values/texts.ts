/** Values for the tests of texts. */
import { disguised, list, type Subject } from './subject.ts';

const LONG = 'x'.repeat(256);

const SCALARS: readonly (string | number | boolean | null)[] = [
  ...['ann', 'Ann', '', ' a', '1', '0', 'true', 'null', '\u00e9', 'e\u0301', LONG, '1.0', '__proto__', '*'],
  ...[0, 1, 1.5, -1, 1e21, 1e-7, 0.1, 0.3, 9007199254740991, true, false, null],
];

const BANNED = ['DROP', 'delete', '1', 'true', 'FALSE', '1e+21', '1E+22', 'a b', '0.5', '', '-1', LONG];

export const STARTS: readonly string[] = ['SELECT ', 'order-', 'x', '\u00e9', 'a/b', ' ', 'ftp://', LONG];

export const ENDS: readonly string[] = ['.pdf', '-ok', 'x', '\u0301', '/', 'a@b', LONG];

export const inList: Subject = {
  test: ({ some }) => ({ in: some(SCALARS, 4) }),
  passing: ({ one }, condition) => one(condition.in ?? []),
  near: (draw, condition) =>
    draw.chance(0.6) ? disguised(draw, draw.one(condition.in ?? [])) : draw.one(SCALARS),
};

export const notInList: Subject = {
  test: ({ some }) => ({ not_in: some(BANNED, 4) }),
  passing: ({ one }) => one<unknown>(['ok', 'drops', 'a  b', 2, -1.5, 1e20, 'x', '!', '~']),
  near: (draw, condition) => {
    const entry = draw.one(list(condition, 'not_in'));
    const others: readonly unknown[] = [
      '\uff24ROP',
      `${entry}\u200b`,
      '\u00e9',
      null,
      true,
      false,
      1,
      1e21,
      1e22,
      0.5,
      'd\nrop',
      '',
      ' ',
    ];
    return draw.chance(0.6) ? disguised(draw, entry) : draw.one(others);
  },
};

export function edges(name: 'prefix' | 'suffix', entries: readonly string[]): Subject {
  const around = (entry: string, more: string): string =>
    name === 'prefix' ? `${entry}${more}` : `${more}${entry}`;
  return {
    test: ({ some }) => ({ [name]: some(entries, 3) }),
    passing: ({ one }, condition) =>
      around(one(list(condition, name)), one(['', 'a', ' b', '\u0080', '\u00e9', '/../c'])),
    near: (draw, condition) => {
      const text = around(
        draw.one(list(condition, name)),
        draw.one(['', 'a', '\n', '\u0000', '\u007f', '\u001f']),
      );
      return draw.chance(0.5)
        ? disguised(draw, text)
        : draw.one<unknown>([text, `\u0000${text}`, ` ${text}`, [text, 1], text.slice(1, -1)]);
    },
  };
}
