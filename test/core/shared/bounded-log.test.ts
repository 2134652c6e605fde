import { describe, expect, test } from 'vitest';
import { boundLog, MAX_LINES } from '../../../src/core/shared/bounded-log.ts';
import type { LogEvent } from '../../../src/ports/storage.ts';

function openBounded() {
  const lines: LogEvent[] = [];
  const timers: (() => void)[] = [];
  const bounded = boundLog(
    (line) => lines.push(line),
    (_, callback) => {
      timers.push(callback);
      return () => undefined;
    },
  );
  const tell = (times: number, facts: object = {}) => {
    for (let time = 0; time < times; time += 1) {
      bounded.log({ level: 'warn', event: 'key.refused', message: 'No.', ...facts });
    }
  };
  const pass = () => {
    for (const callback of timers.splice(0)) callback();
  };
  return { ...bounded, lines, tell, pass };
}

describe('a log that is bounded', () => {
  test('writes a number of lines of a kind in a minute, then one with the number of the rest', () => {
    const { lines, tell, pass } = openBounded();
    tell(MAX_LINES + 1_000);
    expect(lines).toHaveLength(MAX_LINES);
    pass();
    expect(lines.slice(MAX_LINES)).toEqual([
      {
        level: 'warn',
        event: 'log_suppressed',
        message: '1000 more lines of key.refused were left out within a minute.',
        of: 'key.refused',
        suppressed: 1_000,
      },
    ]);
  });

  test('begins again with the next minute', () => {
    const { lines, tell, pass } = openBounded();
    tell(MAX_LINES + 1);
    pass();
    tell(MAX_LINES);
    pass();
    expect(lines).toHaveLength(2 * MAX_LINES + 1);
  });

  test('says nothing of a minute in which no line was left out', () => {
    const { lines, tell, pass } = openBounded();
    tell(MAX_LINES);
    pass();
    expect(lines).toHaveLength(MAX_LINES);
  });

  test('keeps kinds apart, and within a kind its codes and reasons', () => {
    const { lines, tell } = openBounded();
    for (const facts of [{}, { reason: 'unknown' }, { reason: 'revoked' }, { code: 'internal' }]) {
      tell(MAX_LINES + 1, facts);
    }
    expect(lines).toHaveLength(4 * MAX_LINES);
  });

  test('that throws breaks nothing', () => {
    const { log } = boundLog(
      () => {
        throw new Error('disk full');
      },
      () => () => undefined,
    );
    expect(() => log({ level: 'info', event: 'key.created', message: 'Made.' })).not.toThrow();
  });

  test('says at its end what it has left out', () => {
    const { lines, tell, close } = openBounded();
    tell(MAX_LINES + 2);
    close();
    expect(lines.at(-1)).toMatchObject({ event: 'log_suppressed', suppressed: 2 });
  });
});
