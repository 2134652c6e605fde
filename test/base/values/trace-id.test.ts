import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTraceId, readTraceparent } from '../../../src/base/values/trace-id.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const VALID = `00-${ID}-${SPAN}-01`;

describe('a traceparent', () => {
  test('names its trace', () => {
    for (const valid of [VALID, `00-${ID}-${SPAN}-00`, `00-${ID}-${SPAN}-ff`])
      expect(readTraceparent(valid)).toBe(ID);
  });

  test('of a later version may go on behind another hyphen', () => {
    expect(readTraceparent(`01-${ID}-${SPAN}-01`)).toBe(ID);
    expect(readTraceparent(`cc-${ID}-${SPAN}-01-what-may-come`)).toBe(ID);
    expect(readTraceparent(`cc-${ID}-${SPAN}-01.what-may-come`)).toBeNull();
  });

  test('that is not valid names none', () => {
    const invalid = [
      undefined,
      '',
      ID,
      `${VALID}-01`,
      `${VALID} `,
      ` ${VALID}`,
      `${VALID}\n`,
      VALID.toUpperCase(),
      `ff-${ID}-${SPAN}-01`,
      `0-${ID}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${ID}-${'0'.repeat(16)}-01`,
      `00-${ID.slice(1)}-${SPAN}-01`,
      `00-${ID}-${SPAN}-1`,
      `${VALID}, ${VALID}`,
    ];
    for (const text of invalid) expect([text, readTraceparent(text)]).toEqual([text, null]);
  });

  test('gives a trace id or nothing, whatever it is', () => {
    const changed = fc.tuple(fc.nat(VALID.length), fc.string({ unit: 'binary', maxLength: 2 }));
    fc.assert(
      fc.property(changed, ([at, text]) => {
        const id = readTraceparent(VALID.slice(0, at) + text + VALID.slice(at + text.length));
        if (id !== null) expect(isTraceId(id)).toBe(true);
      }),
      { examples: [[[0, 'ff']]] },
    );
  });
});
