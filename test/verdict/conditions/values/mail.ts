/** Values for the test of addresses. */
import { letters, list, put, type Subject } from './subject.ts';

const ADDRESSES = [
  'ann@example.com',
  '@example.org',
  "o'x+y=z-@a.example",
  'a_b.c@xn--a.example',
  '@a-b.example',
  'a@1.2',
];

const NEAR_ADDRESS = [
  ...[
    '{}.',
    ' {}',
    '{} ',
    '{}\n',
    '<{}>',
    'Ann <{}>',
    '{},eve@evil.example',
    '{};a@b.example',
    'mailto:{}',
    '"{}"',
    '{}(x)',
  ],
  ...[
    '-{}',
    '.{}',
    '\u0430{}',
    '{}\u0000',
    'eve@evil.example,{}',
    '{}@evil.example',
    'x.{}',
    '\ufeff{}',
    '{}%00',
    'a..{}',
  ],
];

const NEAR_LOCAL = [
  '"ann"',
  'ann.',
  '.ann',
  'a..n',
  '-ann',
  'ann(x)',
  'ann%x',
  'ANN',
  'Ann',
  'ann+x',
  '\u00e4nn',
  'a n',
  'a!b',
  '',
  'eve@evil.example',
];

export const mail: Subject = {
  test: ({ some }) => ({ email_in: some(ADDRESSES, 3) }),
  passing: ({ one, chance }, condition) => {
    const entry = one(list(condition, 'email_in'));
    const address = entry.startsWith('@')
      ? `${one(['ann', 'a.b', "o'x", 'x'.repeat(64), '0-'])}${entry}`
      : entry;
    return chance(0.3) ? letters(address) : address;
  },
  near: ({ one, chance }, condition) => {
    const entry = one(list(condition, 'email_in'));
    const domain = entry.slice(entry.indexOf('@'));
    if (chance(0.5)) return `${one(NEAR_LOCAL)}${domain}`;
    const address = entry.startsWith('@') ? `ann${entry}` : entry;
    return one<unknown>([
      put(one(NEAR_ADDRESS), address),
      address.replace('@', '@sub.'),
      `${'x'.repeat(65)}${domain}`,
      `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(60)}`,
      { email: address },
      domain,
    ]);
  },
};
