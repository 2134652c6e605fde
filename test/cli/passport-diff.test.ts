import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBothWays, WAYS } from '../support/both-ways.ts';
import { run } from '../support/command.ts';
import { type Ended, openFolder } from '../support/process.ts';

const BEFORE = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 100, currency: 'EUR' };
const WIDER = { ...BEFORE, monetary_limit_per_txn: 250 };
const NARROWER = { ...BEFORE, denied_actions: ['orders.delete'] };
const CROSSING = { ...WIDER, denied_actions: ['orders.delete'] };

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = openFolder());
});

afterEach(() => remove());

function diff(before: unknown, after: unknown, ...args: readonly string[]): Promise<Ended> {
  writeFileSync(join(folder, 'before.json'), JSON.stringify(before));
  writeFileSync(join(folder, 'after.json'), JSON.stringify(after));
  return run(['passport', 'diff', 'before.json', 'after.json', ...args], { cwd: folder });
}

describe('passport diff', () => {
  test('prints each difference of two files as a sentence, without a service', async () => {
    const { code, stdout, stderr } = await diff(BEFORE, CROSSING);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'crossing',
        '  + Allows orders.any of 100.01 EUR. Before: The amount is over the limit.',
        '  - No longer allows orders.delete. The action is denied.',
        '',
      ].join('\n'),
    );
  });

  test('prints the comparison as JSON', async () => {
    const { stdout } = await diff(BEFORE, WIDER, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      result: 'wider',
      wider: [{ code: 'amount_over_limit', intent: { action: 'orders.any' } }],
      narrower: [],
    });
  });

  test.each([
    ['wider', 1, 0, 1, 0],
    ['crossing', 0, 0, 1, 0],
    ['narrower', 0, 1, 0, 0],
    ['equal', 0, 0, 0, 1],
    ['wider,narrower', 1, 1, 1, 0],
  ])('fails on %s', async (failOn, wider, narrower, crossing, equal) => {
    const codes = await Promise.all(
      [WIDER, NARROWER, CROSSING, BEFORE].map(async (after) => {
        const { code } = await diffIn(after, '--fail-on', failOn);
        return code;
      }),
    );
    expect(codes).toEqual([wider, narrower, crossing, equal]);
  });

  /** As `diff`, with a file of its own for each passport. */
  let number = 0;
  function diffIn(after: unknown, ...args: readonly string[]): Promise<Ended> {
    number += 1;
    const name = `after-${number}.json`;
    writeFileSync(join(folder, 'before.json'), JSON.stringify(BEFORE));
    writeFileSync(join(folder, name), JSON.stringify(after));
    return run(['passport', 'diff', 'before.json', name, ...args], { cwd: folder });
  }

  test('refuses a file that is no passport, and an unknown result', async () => {
    const broken = await diff(BEFORE, { ...BEFORE, allowed_actions: 'orders.*' }, '--fail-on', 'wider');
    expect(broken).toMatchObject({ code: 2, stdout: '' });
    expect(broken.stderr).toContain('after.json is not a passport');
    expect((await diff(BEFORE, WIDER, '--fail-on', 'broader')).code).toBe(2);
    expect((await diff(BEFORE, WIDER, '--fail-on', '')).code).toBe(2);
  });
});

describe.each(WAYS)('passport diff over --%s', (way) => {
  test('compares versions of a stored passport, and a stored passport with a file', async () => {
    const both = await openBothWays();
    const file = join(folder, 'passport.json');
    writeFileSync(file, JSON.stringify({ domain: 'example.com', agent_name: 'buyer', ...BEFORE }));
    const agent = 'did:web:example.com:agents:buyer';
    await both[way](['passport', 'create', file]);
    await both[way](['passport', 'update', agent, '--monetary-limit-per-txn', '250']);
    const versions = await both[way](['passport', 'diff', `${agent}@1`, agent]);
    expect(versions.stdout, versions.stderr).toMatch(/^wider\n/);
    const back = await both[way](['passport', 'diff', `${agent}@2`, file]);
    expect(back.stdout, back.stderr).toMatch(/^narrower\n/);
    expect((await both[way](['passport', 'diff', `${agent}@9`, agent])).code).toBe(2);
  });
});
