/** Objects and lists of other shapes, and values that only this process can have. */
import { UNCARRIED } from '../odd-values.ts';
import type { Condition } from '../reference.ts';
import { type Confusion, each, group, inProcess, type Row } from './confusion.ts';

const TO: Condition = { at: '/to', in: ['ann', 0] };
const DEEP: Condition = { at: '/a/0/b', in: ['x'] };

const steps: readonly Row[] = [
  ['the value', { a: [{ b: 'x' }] }, 'ALLOW'],
  ['a second element', { a: [{ b: 'x' }, { b: 'y' }] }, 'ALLOW'],
  ['no element', { a: [] }, 'required'],
  ['an object for the list', { a: { 0: { b: 'x' } } }, 'required'],
  ['a text for the list', { a: 'x' }, 'required'],
  ['a text for the element', { a: ['xb'] }, 'required'],
  ['null for the list', { a: null }, 'required'],
  ['null for the element', { a: [null] }, 'required'],
  ['a list for the element', { a: [[{ b: 'x' }]] }, 'required'],
  ['B for b', { a: [{ B: 'x' }] }, 'name'],
  ['A for a', { a: [{ b: 'x' }], A: [{ b: 'y' }] }, 'name'],
];

const amounts: readonly Row[] = [
  ['at most', { list: [1] }, 'ALLOW'],
  ['none', { list: [] }, 'ALLOW'],
  ['a list in a list', { list: [[1, 2, 3]] }, 'ALLOW'],
  ['one more', { list: [1, 2] }, 'max_items'],
  ['text', { list: 'a,b' }, 'max_items'],
  ['an empty text', { list: '' }, 'max_items'],
  ['an object with a length', { list: { length: 0 } }, 'max_items'],
  ['null', { list: null }, 'max_items'],
  ['a number', { list: 1 }, 'max_items'],
  ['missing', {}, 'required'],
  ['List', { list: [1], LIST: [1, 2] }, 'name'],
];

const needed = [
  ...each('x', 'ALLOW', {
    text: 'x',
    space: ' ',
    zero: 0,
    false: false,
    'a list of null': [null],
    'an object': { a: null },
  }),
  ...each('x', 'required', { null: null, 'an empty text': '', 'an empty list': [], 'an empty object': {} }),
];

const unwanted = each('bcc', 'absent', {
  text: 'eve',
  null: null,
  'an empty text': '',
  'an empty list': [],
  'an empty object': {},
  false: false,
  zero: 0,
});

const members: readonly Row[] = [
  ['named', { options: { a: 1 } }, 'ALLOW'],
  ['no member', { options: {} }, 'ALLOW'],
  ['another', { options: { a: 1, b: 2 } }, 'only'],
  ['another case', { options: { A: 1 } }, 'only'],
  ['a list', { options: [] }, 'only'],
  ['a list of named', { options: ['a'] }, 'only'],
  ['text', { options: 'a' }, 'only'],
  ['null', { options: null }, 'only'],
  ['missing', {}, 'required'],
];

/** The value in the place of one that JSON could carry, and one level above. */
function uncarried(): readonly Confusion[] {
  const makers = Object.entries(UNCARRIED);
  const at = (make: (odd: (value: unknown) => unknown) => unknown) =>
    Object.fromEntries(makers.map(([name, odd]) => [name, () => make(odd)]));
  const optional: Condition = { ...TO, optional: true };
  return [
    ...inProcess(
      'uncarried',
      TO,
      'in',
      at((odd) => ({ to: odd('ann') })),
    ),
    ...inProcess(
      'uncarried in a list',
      optional,
      'in',
      at((odd) => ({ to: ['ann', odd('ann')] })),
    ),
    ...inProcess(
      'uncarried bcc',
      { at: '/bcc', absent: true },
      'absent',
      at((odd) => ({ bcc: odd('eve') })),
    ),
  ];
}

const twins = inProcess('twins', TO, 'name', {
  'without a prototype': () => Object.assign(Object.create(null), { to: 'ann', To: 'eve' }),
  frozen: () => Object.freeze({ TO: 'eve', to: 'ann' }),
  'behind a Proxy': () => new Proxy({ to: 'ann', tO: 'eve' }, {}),
});

const prototypes = inProcess('members', { at: '', only: ['to'] }, 'only', {
  'an own __proto__': () => JSON.parse('{"to":"ann","__proto__":{"bcc":"eve"}}'),
  'a member without a prototype': () => Object.assign(Object.create(null), { to: 'ann', bcc: 'eve' }),
  'a member of undefined': () => ({ to: 'ann', bcc: undefined }),
});

const halves = inProcess('half of a pair', { at: '/path', path_under: ['/srv'] }, 'path_under', {
  high: () => ({ path: '/srv/\ud800' }),
  low: () => ({ path: '/srv/\udc00/x' }),
  'U+0000': () => ({ path: '/srv/x\u0000' }),
});

const crowds = inProcess('a crowd', { at: '/to/*', in: ['ann'] }, 'items', {
  'of 256 and one that JSON cannot carry': () => ({
    to: [...Array.from({ length: 256 }, () => 'ann'), () => 'ann'],
  }),
});

export const SHAPES: readonly Confusion[] = [
  ...group('steps', DEEP, steps),
  ...group('a star on top', { at: '/*', optional: true, in: ['x'] }, [['an object', { '*': 'y' }, 'ALLOW']]),
  ...group('stars', { at: '/x/*/*', in: ['a'] }, [
    ['lists', { x: [['a'], ['a', 'a']] }, 'ALLOW'],
    ['one other', { x: [['a'], ['a', 'b']] }, 'in'],
    ['an empty list', { x: [['a'], []] }, 'required'],
    ['a text', { x: [['a'], 'a'] }, 'required'],
    ['a list too deep', { x: [[['a']]] }, 'ALLOW'],
    ['two lists too deep', { x: [[[['a']]]] }, 'in'],
  ]),
  ...group('an index with a zero', { at: '/x/01', in: ['a'] }, [
    ['an object', { x: { '01': 'a' } }, 'ALLOW'],
    ['a list', { x: ['b', 'a'] }, 'required'],
  ]),
  ...group('length', { at: '/x/length', in: [1] }, [
    ['of a list', { x: ['a'] }, 'required'],
    ['of a text', { x: 'a' }, 'required'],
    ['as a member', { x: { length: 1 } }, 'ALLOW'],
  ]),
  ...group('a slash in a name', { at: '/a~1b/m~0n', in: ['x'] }, [
    ['the names', { 'a/b': { 'm~n': 'x' } }, 'ALLOW'],
    ['the escapes', { 'a~1b': { 'm~0n': 'x' } }, 'required'],
    ['steps', { a: { b: { 'm~n': 'x' } } }, 'required'],
  ]),
  ...group('no name', { at: '/', in: ['x'] }, [
    ['the member', { '': 'x' }, 'ALLOW'],
    ['another value', { '': 'y' }, 'in'],
    ['missing', { x: 'x' }, 'required'],
  ]),
  ...group('items', { at: '/list', max_items: 1 }, amounts),
  ...group('present', { at: '/x', present: true }, [
    ...needed,
    ['missing', {}, 'required'],
    ['X', { X: 'x' }, 'name'],
  ]),
  ...group('absent', { at: '/bcc', absent: true }, [
    ['missing', { to: 'x' }, 'ALLOW'],
    ['no parameters', undefined, 'ALLOW'],
    ...unwanted,
    ['Bcc', { Bcc: 'eve' }, 'name'],
    ['BCC of null', { BCC: null }, 'name'],
  ]),
  ...group('absent below', { at: '/mails/*/bcc', absent: true }, [
    ['missing in each', { mails: [{ to: 'x' }, {}] }, 'ALLOW'],
    ['no list', { mails: 'x' }, 'ALLOW'],
    ['in the last', { mails: [{}, { bcc: null }] }, 'absent'],
    ['in another case', { mails: [{}, { BCC: 'eve' }] }, 'name'],
    ['in a second list', { mails: [{}], Mails: [{ bcc: 'eve' }] }, 'name'],
  ]),
  ...group('members below', { at: '/options', only: ['a'] }, members),
  ...group('each member below', { at: '/options/*', only: ['a'] }, [
    ['named', { options: [{ a: 1 }, {}] }, 'ALLOW'],
    ['another in the last', { options: [{ a: 1 }, { b: 1 }] }, 'only'],
    ['a text among them', { options: [{ a: 1 }, 'a'] }, 'only'],
  ]),
  ...uncarried(),
  ...crowds,
  ...twins,
  ...prototypes,
  ...halves,
];
