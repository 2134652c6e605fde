import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { type Ended, GIVEN, type Serving, startServe } from '../support/process.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

/** Agents with a parent, over a storage and over the service that runs on it. */
const { AGENT_IDENTITY_PASSWORD } = GIVEN;
const AGENT = 'did:web:example.com:agents:shopper';

let folder: string;
let remove: () => void;
let serving: Serving;

const ways = {
  storage: (args: readonly string[]): Promise<Ended> => run([...args, '--account', ADMIN], { cwd: folder }),
  url: (args: readonly string[]): Promise<Ended> =>
    run([...args, '--url', serving.origin], { cwd: folder, env: { AGENT_IDENTITY_PASSWORD } }),
};

const create = (name: string, ...more: string[]): string[] => [
  ...['passport', 'create', '--domain', 'example.com', '--agent-name', name],
  ...['--allowed-actions', 'orders.*', '--monetary-limit-per-txn', '10', ...more],
];

beforeAll(async () => {
  ({ folder, remove } = await openUsedFolder());
  serving = await startServe({ cwd: folder, env: GIVEN });
  await ways.storage(create('shopper'));
});

afterAll(async () => {
  await serving?.stop();
  remove();
});

describe.each(['storage', 'url'] as const)('over --%s', (way) => {
  async function record(args: readonly string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await ways[way]([...args, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  test('a helper is issued, listed with its parent, and shown in effect', async () => {
    const { agent_id } = await record(create(`helper-${way}`, '--parent', AGENT));
    const { data } = await record(['passport', 'list', '--parent', AGENT]);
    expect(data).toContainEqual(expect.objectContaining({ agent_id, parent_agent_id: AGENT }));
    const effective = await record(['passport', 'effective', `${agent_id}`]);
    expect(effective).toMatchObject({ ancestors: [AGENT], allowed_actions: ['orders.*'] });
    const shown = await ways[way](['passport', 'effective', `${agent_id}`]);
    expect(shown.stdout).toMatch(/^ancestors +did:web:example\.com:agents:shopper$/m);
  });

  test('a parent that is not there is refused by its name', async () => {
    const missing = 'did:web:example.com:agents:missing';
    const { code, stdout, stderr } = await ways[way](create('lonely', '--parent', missing));
    expect(code).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('parent_agent_id');
  });
});
