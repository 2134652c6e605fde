import { beforeAll, describe, expect, test } from 'vitest';
import { type BothWays, openBothWays, recordOf, WAYS } from '../support/both-ways.ts';

/** The inventory by the command, over a storage and over the service that runs on it. */
let both: BothWays;

beforeAll(async () => {
  both = await openBothWays();
});

describe.each(WAYS)('over --%s', (way) => {
  test('lists nothing that is new, and the owners that a filter names', async () => {
    const name = `owned-${way}`;
    const fields = ['--domain', 'shop.example', '--agent-name', name, '--allowed-actions', 'pay'];
    const create = [
      'passport',
      'create',
      ...fields,
      '--monetary-limit-per-txn',
      '0',
      '--owner',
      `team ${way}`,
    ];
    expect(await recordOf(both[way], create)).toMatchObject({ owner: `team ${way}` });
    const listed = await recordOf(both[way], ['passport', 'list', '--owner', `team ${way}`]);
    expect(listed).toMatchObject({ data: [{ agent_name: name }] });
    const unused = ['passport', 'list', '--unused-days', '1'];
    expect(await recordOf(both[way], unused)).toMatchObject({ data: [] });
    expect(await recordOf(both[way], ['inventory'])).toEqual({ passports: [], keys: [], owners_left: [] });
    const text = await both[way](['inventory', '--unused-days', '365']);
    expect([text.code, text.stdout.trim()]).toEqual([0, 'WHAT  ID  OWNER  LAST USED']);
    expect(await both[way](['inventory', '--unused-days', '0'])).toMatchObject({ code: 2, stdout: '' });
  });
});
