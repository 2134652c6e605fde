/** Values for the test of URLs. */
import type { Draw } from '../draw.ts';
import { list, put, type Subject } from './subject.ts';

const HOSTS = [
  'https://example.com',
  'https://example.com:8443',
  'http://example.com',
  'https://*.example.com',
  'http://localhost:8080',
  'http://127.0.0.1',
  'https://xn--a.example',
  'https://*.a-b.example:444',
];

const FOLDERS = ['', '/', '/docs', '/docs/', '/docs/a', '/docs/a%20b', '/d;v=1', "/a'()*,@:!$&+=~[]"];

const NEAR_URL = [
  ...[
    '{}/..',
    '{}/../x',
    '{}/%2e%2e/x',
    '{}/%2E./x',
    '{}/..;a/x',
    '{}/.;/x',
    '{}/;x',
    '{}//x',
    '{}//',
    '{}/./x',
    '{}/...',
    '{}/x%2fy',
  ],
  ...[
    '{}/%5cx',
    '{}/%00',
    '{}/%7f',
    '{}/%7E',
    '{}/%80',
    '{}/%',
    '{}/%4',
    '{}/%zz',
    '{}/%25',
    '{}/%3b',
    '{}/%3B..',
    '{}/%20',
  ],
  ...[
    '{}?x',
    '{}#x',
    '{}/?x',
    '{}/#x',
    '{}/x?a=/../b',
    '{}/x#/../%2e',
    '{}/x?%zz',
    '{}/a b',
    '{}/\u00e9',
    '{}\\x',
    '{}/\\x',
    '{}/"',
    '{}/^',
    '{}/`',
    '{}/|',
    '{}/{',
    '{}x',
    '{}.',
    '{}.evil.example',
    '{}@evil.example',
    '{}:80',
    ' {}',
    '{} ',
    '{}\n',
    '{}\t/x',
    '{}/x/',
    '{}/X',
  ],
];

const NEAR_HOST: readonly (readonly [RegExp, string])[] = [
  [/\/\//, '//a@'],
  [/\/\//, '//a:b@'],
  [/\/\//, '//evil.example/'],
  [/\/\//, '//evil.example#'],
  [/\/\//, '//evil'],
  [/\/\//, '/'],
  [/\/\//, '///'],
  [/\/\//, '//sub.'],
  [/\/\//, '//-'],
  [/\/\//, '//a_b.'],
  [/\/\//, '//.'],
  [/^https/, 'HTTPS'],
  [/^https/, 'http'],
  [/^http:/, 'https:'],
  [/^https?:/, ''],
  [/^https?:/, 'javascript:'],
  [/(\.\w+)(?=[:/]|$)/, '$1.'],
  [/(\.\w+)(?=[:/]|$)/, '$1:443'],
  [/(\.\w+)(?=[:/]|$)/, '$1:80'],
  [/(\.\w+)(?=[:/]|$)/, '$1:'],
  [/(\.\w+)(?=[:/]|$)/, '$1:0443'],
  [/(\.\w+)(?=[:/]|$)/, '$1:65535'],
  [/(\.\w+)(?=[:/]|$)/, '$1:65536'],
  [/(\.\w+)(?=[:/]|$)/, '$1:0'],
  [/:\d+/, ''],
  [/example/, 'EXAMPLE'],
  [/example/, 'ex\u0430mple'],
  [/example/, 'ex-ample'],
  [/example/, `${'a'.repeat(64)}`],
  [/example/, `${'a'.repeat(63)}.example`],
  [/example/, `${'a.'.repeat(125)}example`],
  [/\.example/, '\u3002example'],
  [/\.example/, 'xexample'],
];

/** A URL below the entry: a star becomes labels. */
const below = ({ one }: Draw, entry: string): string =>
  entry.replace('*', () => one(['a', 'a.b', 'A-1', 'xn--b'])).replace(/\/$/, '');

export const url: Subject = {
  test: (draw) => ({
    url_under: [
      ...new Set(Array.from({ length: 1 + draw.below(3) }, () => `${draw.one(HOSTS)}${draw.one(FOLDERS)}`)),
    ],
  }),
  passing: (draw, condition) => {
    const base = below(draw, draw.one(list(condition, 'url_under')));
    return `${base}${draw.one(['', '/', '/x', '/x/y/', '/x?q=%00', '/#f', '/a%20b', '/~;x', '/-'])}`;
  },
  near: (draw, condition) => {
    const base = below(draw, draw.one(list(condition, 'url_under')));
    if (draw.chance(0.5)) return put(draw.one(NEAR_URL), base);
    const [from, to] = draw.one(NEAR_HOST);
    return draw.one<unknown>([
      base.replace(from, to),
      base.replace(from, to),
      `${base}/${'x'.repeat(2_048)}`,
      `${base.replace(/\/[^/]*$/, '')}`,
      { href: base },
    ]);
  },
};
