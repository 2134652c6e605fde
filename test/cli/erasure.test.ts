/** `account delete` and `passport purge`: over a storage that a service runs on, and over that service. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type BothWays, openBothWays, recordOf, WAYS } from '../support/both-ways.ts';
import { run } from '../support/command.ts';
import { type Ended, GIVEN } from '../support/process.ts';

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const PASSWORD = GIVEN.AGENT_IDENTITY_PASSWORD;

let both: BothWays;

beforeAll(async () => {
  both = await openBothWays();
});

/** As an operator, at a terminal where `typed` is entered, or without one. */
function operate(args: readonly string[], typed?: string): Promise<Ended> {
  const terminal = typed === undefined ? {} : { isTerminal: true, input: typed };
  return run(args, { cwd: both.folder, env: GIVEN, ...terminal });
}

const recordedBy = (args: readonly string[]) => recordOf((all) => operate(all), args);

async function loginStatus(email: string): Promise<number> {
  const answer = await fetch(`${both.serving.origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  return answer.status;
}

const issue = (name: string, ...more: string[]): string[] => [
  ...['passport', 'create', '--domain', `${name}.example`, '--agent-name', 'shopper'],
  ...['--allowed-actions', 'orders.*', '--monetary-limit-per-txn', '10', ...more],
];

describe('account delete', () => {
  test('without --yes asks at a terminal alone, and does nothing for another text or none', async () => {
    await recordedBy(['account', 'create', BOB]);
    expect(await operate(['account', 'delete', BOB])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: 'agent-identity: Add --yes: there is no terminal to ask at.\n',
    });
    for (const typed of ['yes\n', `${ADA}\n`, '\n', '']) {
      const refused = await operate(['account', 'delete', BOB], typed);
      expect({ typed, ...refused }).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('Nothing was changed.');
    }
    expect(await loginStatus(BOB)).toBe(200);
  });

  test('refuses an account that is not there, a storage that is gone with it, and --url', async () => {
    expect(await operate(['account', 'delete', 'eve@example.com', '--yes'])).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: 'agent-identity: There is no account with this id that you can access.\n',
    });
    for (const id of ['acc_nowhere', 'acc_erased', BOB.slice(0, 3)]) {
      expect(await operate(['account', 'delete', id, '--yes'])).toMatchObject({
        ...{ code: 1, stdout: '' },
        stderr: 'agent-identity: There is no account with this id that you can access.\n',
      });
    }
    const gone = await operate(['account', 'delete', BOB, '--yes', '--storage', 'memory:']);
    expect(gone).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/memory:/) });
    const remote = await operate(['account', 'delete', BOB, '--yes', '--url', both.serving.origin]);
    expect(remote).toMatchObject({ code: 2, stdout: '' });
    expect(await loginStatus(BOB)).toBe(200);
  });
});

/** An erasure waits 15 seconds for requests that are under way: these wait at the same time. */
describe('what waits for requests', () => {
  test.concurrent('account delete closes it for the service that runs, says how far it is, and frees its e-mail and no id', async () => {
    const ada = await recordedBy(['account', 'create', ADA]);
    await recordedBy(issue('ada', '--account', ADA));
    expect(await loginStatus(ADA)).toBe(200);
    const typed = await operate(['account', 'delete', ADA], `${ADA}\n`);
    expect(typed).toMatchObject({ code: 0, stdout: `${ADA} is deleted.\n` });
    expect(typed.stderr).toContain('this cannot be undone');
    expect(typed.stderr).toContain('Waits some seconds for requests that are still under way.');
    expect(await loginStatus(ADA)).toBe(401);
    expect((await operate(['account', 'list'])).stdout).not.toContain(ADA);
    expect(await operate(['account', 'delete', ADA, '--yes'])).toMatchObject({ code: 1, stdout: '' });
    expect(await recordedBy(['account', 'create', ADA])).toMatchObject({ id: ada['id'] });
    const again = await operate(issue('ada', '--account', ADA));
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('This agent_id was issued before.');
    expect(await loginStatus(BOB)).toBe(200);
  });

  test.concurrent('account delete --yes --json takes the id and prints it', async () => {
    const { id } = await recordedBy(['account', 'create', 'cy@example.com']);
    const { code, stdout } = await operate(['account', 'delete', `${id}`, '--yes', '--json']);
    expect({ code, printed: JSON.parse(stdout) }).toEqual({ code: 0, printed: { id, deleted: true } });
  });

  test.concurrent.each(WAYS)('passport purge over --%s takes a revoked agent alone', async (way) => {
    const record = (args: readonly string[]) => recordOf(both[way], args);
    const agent_id = `did:web:${way}.example:agents:shopper`;
    const purge = ['passport', 'purge', agent_id];
    await record(issue(way, '--description', 'of ada'));
    expect(await both[way]([...purge, '--yes'])).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringContaining(`The passport ${agent_id} is active. Revoke it first.`),
    });
    await record(['passport', 'revoke', agent_id]);
    expect(await both[way](purge)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: 'agent-identity: Add --yes: there is no terminal to ask at.\n',
    });
    const absent = ['passport', 'purge', `did:web:${way}.example:agents:absent`, '--yes'];
    expect(await both[way](absent)).toMatchObject({ code: 1, stdout: '' });
    expect(await record(['passport', 'show', agent_id])).toMatchObject({ description: 'of ada' });

    const { code, stdout } = await both[way]([...purge, '--yes', '--json']);
    expect({ code, printed: JSON.parse(stdout) }).toEqual({ code: 0, printed: { agent_id, purged: true } });
    const shown = await record(['passport', 'show', agent_id]);
    expect(shown).toMatchObject({ status: 'revoked', allowed_actions: [] });
    expect(shown).not.toHaveProperty('description');
    expect(await both[way](issue(way))).toMatchObject({ code: 1, stdout: '' });
  });
});
