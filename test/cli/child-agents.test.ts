import { beforeAll, describe, expect, test } from 'vitest';
import { type BothWays, openBothWays, recordOf, WAYS } from '../support/both-ways.ts';

/** Agents with a parent, over a storage and over the service that runs on it. */
const AGENT = 'did:web:example.com:agents:shopper';

let both: BothWays;

const create = (name: string, ...more: string[]): string[] => [
  ...['passport', 'create', '--domain', 'example.com', '--agent-name', name],
  ...['--allowed-actions', 'orders.*', '--monetary-limit-per-txn', '10', ...more],
];

beforeAll(async () => {
  both = await openBothWays();
  await both.storage(create('shopper'));
});

describe.each(WAYS)('over --%s', (way) => {
  const record = (args: readonly string[]) => recordOf(both[way], args);

  test('issues a child agent, lists it by its parent, and shows it in effect', async () => {
    const { agent_id } = await record(create(`child-${way}`, '--parent', AGENT));
    const { data } = await record(['passport', 'list', '--parent', AGENT]);
    expect(data).toContainEqual(expect.objectContaining({ agent_id, parent_agent_id: AGENT }));
    const effective = await record(['passport', 'effective', `${agent_id}`]);
    expect(effective).toMatchObject({ ancestors: [AGENT], allowed_actions: ['orders.*'] });
    const shown = await both[way](['passport', 'effective', `${agent_id}`]);
    expect(shown.stdout).toMatch(/^ancestors +did:web:example\.com:agents:shopper$/m);
  });

  test('a parent that is not there is refused by its name', async () => {
    const missing = 'did:web:example.com:agents:missing';
    const { code, stdout, stderr } = await both[way](create('lonely', '--parent', missing));
    expect(code).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('parent_agent_id');
  });
});
