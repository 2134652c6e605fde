/** Values for the test of a range. */
import type { Draw } from '../draw.ts';
import type { Condition } from '../reference.ts';
import { fractionOf } from '../reference-tests.ts';
import type { Subject } from './subject.ts';

const BOUNDS = [
  -5,
  '-0.000001',
  0,
  '0.1',
  0.3,
  1,
  100,
  '100.50',
  '1000000000000000',
  -1e15,
  1e15,
  '7.0000000',
];

const STEPS = ['0.000001', '0.0000001', '1', '0.5'];

const NO_DECIMALS: readonly unknown[] = [
  ...[
    '1e3',
    '01',
    '-0',
    '-0.0',
    '+1',
    '1.',
    '.5',
    ' 1',
    '1 ',
    '0x1',
    '',
    '1,5',
    '\u0661',
    '1_0',
    'NaN',
    '--1',
    '-',
  ],
  ...[
    '1'.repeat(40),
    '1'.repeat(41),
    `-${'9'.repeat(39)}`,
    `0.${'0'.repeat(38)}`,
    `0.${'0'.repeat(39)}`,
    `1.${'0'.repeat(38)}`,
  ],
  ...[1.0000001, 1e15 + 1, 1e21, 1e-7, 0.1 + 0.2, 5e-324, true, null, '1\n', '1.0.0', '00', '-01'],
];

/** Ordered, so that the lower one is the first. */
function range(draw: Draw): Omit<Condition, 'at'> {
  const [a, b] = [draw.one(BOUNDS), draw.one(BOUNDS)];
  const [min, max] = Number(a) <= Number(b) ? [a, b] : [b, a];
  return draw.chance(0.3) ? { min } : draw.chance(0.4) ? { max } : { min, max };
}

/** The sum of two decimals as text, exactly. */
function sum(a: string | number, b: string): string {
  const [x, y] = [fractionOf(String(a)), fractionOf(b)];
  const micro = 10_000_000n;
  const total = (x.over * micro) / x.under + (y.over * micro) / y.under;
  const size = total < 0n ? -total : total;
  const places = `${size % micro}`.padStart(7, '0').replace(/0+$/, '');
  return `${total < 0n ? '-' : ''}${size / micro}${places === '' ? '' : `.${places}`}`;
}

export const boundaries: Subject = {
  test: range,
  passing: ({ one }, { min, max }) =>
    one<unknown>([
      min ?? max,
      max ?? min,
      String(min ?? max),
      String(max ?? min),
      `${Number(max ?? min)}.00`,
    ]),
  near: (draw, { min, max }) => {
    if (draw.chance(0.4)) return draw.one(NO_DECIMALS);
    const step = draw.one(STEPS);
    const text = sum(draw.one([min ?? max ?? 0, max ?? min ?? 0]), draw.chance(0.5) ? step : `-${step}`);
    return draw.chance(0.5) ? text : Number(text) === 0 ? 0 : Number(text);
  },
};
