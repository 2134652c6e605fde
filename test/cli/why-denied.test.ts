import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BothWays, openBothWays, recordOf, WAYS } from '../support/both-ways.ts';

const AGENT = 'did:web:example.com:agents:mailer';
const CHILD = 'did:web:example.com:agents:mailer-child';
const CONDITION = { at: '/to', email_in: ['@example.com'] };
const SECRET = 'eve@evil.example';

let both: BothWays;

beforeAll(async () => {
  both = await openBothWays();
  const { storage, folder } = both;
  const intent = { agent_id: AGENT, action: 'email.send', parameters: { to: SECRET } };
  writeFileSync(join(folder, 'intent.json'), JSON.stringify(intent));
  const limits = ['--allowed-actions', 'email.send', '--monetary-limit-per-txn', '0'];
  const named = (name: string): string[] => ['--domain', 'example.com', '--agent-name', name];
  await storage([
    'passport',
    'create',
    ...named('mailer'),
    ...limits,
    '--condition',
    JSON.stringify(CONDITION),
  ]);
  await storage(['passport', 'create', ...named('mailer-child'), ...limits, '--parent', AGENT]);
  await storage(['verify', 'intent.json']);
  await storage(['verify', '--agent', CHILD, '--action', 'email.send']);
  // The denial keeps the condition of its version.
  await storage([
    'passport',
    'update',
    AGENT,
    '--condition',
    JSON.stringify({ ...CONDITION, optional: true }),
  ]);
});

describe.each(WAYS)('why-denied over --%s', (way) => {
  test('shows the condition of the version that denied, and never the value', async () => {
    const { code, stdout } = await both[way](['why-denied', AGENT]);
    expect(code).toBe(0);
    expect(stdout).toContain('parameter_not_allowed: The parameter is not allowed. (at /to, test email_in)');
    expect(stdout).toContain(`version 1 of ${AGENT}: condition ${JSON.stringify(CONDITION)}`);
    expect(stdout).not.toContain(SECRET);
  });

  test('shows the condition of a passport above', async () => {
    const { data } = (await recordOf(both[way], ['why-denied', CHILD])) as never as {
      data: [{ explained: unknown }];
    };
    expect(data[0].explained).toMatchObject([
      { agent_id: AGENT, version: 1, reason: { code: 'parent_denied' }, limits: { conditions: [CONDITION] } },
    ]);
  });

  test('says that nothing was denied', async () => {
    expect((await both[way](['why-denied', 'did:web:example.com:agents:other'])).stdout).toBe(
      'No denial of this agent is recorded.\n',
    );
  });
});
