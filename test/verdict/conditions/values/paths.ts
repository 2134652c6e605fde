/** Values for the test of paths. */
import { letters, list, put, type Subject } from './subject.ts';

const PATHS = ['/srv/app', 'docs', '/', '.', '/srv/a b', 'docs/\u00e9', '/srv/...x', 'a%zz', '/C:/x'];

const NEAR_PATH = [
  ...[
    '{}/..',
    '{}/../x',
    '{}/./x',
    '{}/.',
    '{}/.. /x',
    '{}/. ./x',
    '{}/ /x',
    '{}/ x',
    '{}//x',
    '{}//',
    '{}/',
    '{}x',
    '{} ',
    ' {}',
    '{}\n',
    '{}\u00a0',
  ],
  ...[
    '{}/%2e%2e/x',
    '{}/%2',
    '{}/%zz',
    '{}\\..',
    '{}/\u0000',
    '{}/\u007f',
    '{}/\u0085x',
    '{}/\ud800',
    '{}/\udc00x',
    '{}/\u2025/x',
    '{}/\u2024',
    '{}/\uff0e\uff0e/x',
  ],
  ...[
    '{}/a\uff0fb',
    '{}/\uff3c',
    '{}/\ufe52',
    '{}/\ufe30/x',
    '{}/\ufe19',
    '{}/\u2100',
    '{}/\u2488',
    '{}/\u3002\u3002',
    '{}/\u200b',
    '{}/.\u200b.',
    '{}/.\ufeff.',
    '{}/.\u3000.',
  ],
  ...[
    '~{}',
    '~/{}',
    '{}/~',
    './{}',
    '../{}',
    '/{}',
    '//{}',
    '{}/x/',
    '{}/...',
    '{}/..a',
    'file://{}',
    '{}/a:b',
    `{}/${'x'.repeat(4_080)}`,
    `{}/${'x'.repeat(4_096)}`,
  ],
];

export const path: Subject = {
  test: ({ some }) => ({ path_under: some(PATHS, 3) }),
  passing: ({ one }, condition) => {
    const entry = one(list(condition, 'path_under'));
    const more = one(['x', 'x/y', 'x/', '.x', 'x ./y', '...a', '\u00e9']);
    if (entry === '/') return `/${more}`;
    return entry === '.' ? more : one([entry, `${entry}/`, `${entry}/${more}`]);
  },
  near: ({ one, chance }, condition) => {
    const entry = one(list(condition, 'path_under'));
    const text = put(one(NEAR_PATH), entry);
    return chance(0.8)
      ? text
      : one<unknown>([
          letters(entry),
          entry.slice(0, -1),
          `${entry.split('/').slice(0, -1).join('/')}`,
          '',
          '/',
          '.',
          '..',
          { path: entry },
          7,
        ]);
  },
};
