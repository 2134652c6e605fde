/** The resident process behind the hook. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { before, type HostName, residentsOf } from './host.ts';
import { approve, configure, installed, LIST, startResident, WRITE } from './installed.ts';

test('the resident process answers, reports outcomes, and stops an agent whose call was changed', async () => {
  const home = await installed('watch');
  const pid = await startResident(home);
  const event = before(home.project, 'Write', WRITE);
  expect((await home.send(event)).what).toBe('runs');
  const after = { ...event, hook_event_name: 'PostToolUse', tool_response: {} };
  expect((await home.send(after)).what).toBe('runs');
  const second = before(home.project, 'Bash', LIST);
  await home.send(second);
  expect((await home.send({ ...second, hook_event_name: 'PostToolUseFailure', error: 'x' })).what).toBe(
    'runs',
  );
  const third = before(home.project, 'Bash', LIST);
  await home.send(third);
  const changed = { ...third, hook_event_name: 'PostToolUse', tool_input: { command: 'rm -r .' } };
  expect(await home.send(changed)).toMatchObject({
    what: 'stopped',
    text: expect.stringContaining('changed'),
  });
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => residentsOf(home.config)).toEqual([]);
  const { stdout } = await home.cli('verifications', '--json', '--storage', home.storage);
  const outcomes = JSON.parse(stdout).data.map(
    ({ outcome }: { outcome?: { outcome: string } }) => outcome?.outcome,
  );
  expect(outcomes.slice(0, 3)).toEqual(['unknown', 'failed', 'succeeded']);
});

test.each<[HostName, isResident: boolean]>([
  ['codex', true],
  ['claude-code', false],
])(
  'a hook of %s spends a hold if nobody knows how the tool ends (resident process: %s)',
  async (name, has) => {
    const home = await installed('watch', name);
    const rules = join(dirname(home.config), 'rules.json');
    const pay = {
      action: 'payments.create',
      amount: '/cents',
      decimals: 2,
      currency: 'EUR',
      hold_seconds: 600,
    };
    writeFileSync(rules, JSON.stringify({ pay }), { mode: 0o600 });
    configure(home, { rules });
    const { agent } = JSON.parse(readFileSync(home.config, 'utf8')) as { agent: string };
    const patch = {
      ...{ allowed_actions: ['payments.create'], monetary_actions: ['payments.create'] },
      ...{ monetary_limit_per_txn: 9, currency: 'EUR', budgets: [{ window: 'day', limit: 9 }] },
    };
    const file = join(dirname(home.config), 'patch.json');
    writeFileSync(file, JSON.stringify(patch));
    const storage = ['--storage', home.storage];
    expect((await home.cli('passport', 'update', agent, file, ...storage)).stderr).toBe('');
    if (has) await startResident(home);
    const event = before(home.project, 'pay', { cents: 100 });
    expect((await home.send(event)).what).toBe('runs');
    if (has) await home.send({ ...event, hook_event_name: 'PostToolUse', tool_response: {} });
    const { stdout } = await home.cli('verifications', '--json', ...storage);
    const [{ decision_id, outcome = null }] = JSON.parse(stdout).data;
    expect(outcome?.outcome ?? null).toBe(has ? 'unknown' : null);
    const spend = await home.cli('spend', 'show', decision_id, '--json', ...storage);
    expect(JSON.parse(spend.stdout)).toMatchObject({ status: 'committed' });
  },
);

test('a hook that is installed twice runs an approved command once', async () => {
  const home = await installed('edit');
  await startResident(home);
  const event = before(home.project, 'Bash', LIST);
  await approve(home, (await home.send(event)).text);
  const results = await Promise.all([home.send(event), home.send(event)]);
  expect(results.map(({ what }) => what)).toEqual(['runs', 'runs']);
  expect((await home.send(event)).what).toBe('runs');
  expect((await home.call('Bash', LIST)).what).toBe('blocked');
});

test('a killed process leaves a verdict, and a socket that lies blocks', async () => {
  const home = await installed('read');
  const pid = await startResident(home);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => residentsOf(home.config)).toEqual([]);
  expect((await home.call('Read', { file_path: 'a' })).what).toBe('runs');
  expect((await home.call('Write', WRITE)).what).toBe('blocked');
  const socket = join(dirname(home.config), 'hook.sock');
  rmSync(socket, { force: true });
  const answers = [
    'garbage\n',
    '',
    '{"of":"another","code":0,"stdout":"{}","stderr":""}\n',
    (of: string) => `{"of":${of},"code":0}\n`,
    (of: string) => `{"of":${of},"code":0,"stdout":"{}"`,
  ];
  for (const answer of answers) {
    const server = await listenAt(socket, answer);
    expect((await home.call('Read', { file_path: 'a' })).what).toBe('blocked');
    await new Promise((resolve) => server.close(resolve));
  }
  const server = await listenAt(socket, (of) => `{"of":${of},"code":0,"stdout":"{}","stderr":""}\n`);
  expect((await home.call('Write', WRITE)).what).toBe('runs');
  chmodSync(socket, 0o666);
  expect(await home.call('Read', { file_path: 'a' })).toMatchObject({
    ...{ what: 'blocked', text: expect.stringContaining('Others may use') },
  });
  await new Promise((resolve) => server.close(resolve));
});

async function listenAt(path: string, answer: string | ((of: string) => string)): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    socket.on('end', () => {
      const { of } = JSON.parse(text.split('\n')[0] ?? '') as { of: string };
      socket.end(typeof answer === 'string' ? answer : answer(JSON.stringify(of)));
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  chmodSync(path, 0o600);
  onTestFinished(() => void server.close());
  return server;
}

test('a resident process of another configuration, or another version, does not answer', async () => {
  const home = await installed('watch');
  await startResident(home);
  const other = join(dirname(home.config), 'other.json');
  writeFileSync(other, readFileSync(home.config), { mode: 0o600 });
  const settings = readFileSync(home.settings, 'utf8').replaceAll(home.config, other);
  writeFileSync(home.settings, settings);
  writeFileSync(
    other,
    JSON.stringify({ ...JSON.parse(readFileSync(other, 'utf8')), agent: 'did:web:a.example:agents:b' }),
  );
  expect(await home.call('Read', { file_path: 'a' })).toMatchObject({
    ...{ what: 'blocked', text: expect.stringContaining('agent_not_found') },
  });
});

test('hears of a changed configuration with the next call', async () => {
  const home = await installed('read');
  await startResident(home);
  expect((await home.call('TodoRead', {})).what).toBe('blocked');
  configure(home, { unjudged: ['TodoRead'] });
  expect((await home.call('TodoRead', {})).what).toBe('runs');
});

test('input that does not end, SIGTERM, and a late resident process block within the time of the host', async () => {
  const home = await installed('watch');
  const pid = await startResident(home);
  const endless = home.send(before(home.project, 'Read', { file_path: 'a' }), { isWhole: false });
  const stopped = home.send(before(home.project, 'Read', { file_path: 'a' }), {
    isWhole: false,
    onStart: (hook) => setTimeout(() => process.kill(hook, 'SIGTERM'), 1_500),
  });
  process.kill(pid, 'SIGSTOP');
  const late = await home.call('Read', { file_path: 'a' });
  process.kill(pid, 'SIGCONT');
  for (const result of [late, await endless, await stopped]) {
    expect(result).toMatchObject({ what: 'blocked', code: 2 });
    expect(result.ms).toBeLessThan(20_000);
  }
});
