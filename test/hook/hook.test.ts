/** The hook of an agent host, as the host runs it: real processes, and a real service on SQLite. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { asGemini, before, residentsOf } from './host.ts';
import { approve, configure, installed, LIST, startResident, WRITE } from './installed.ts';

test.each([
  ['read', ['runs', 'blocked', 'blocked', 'runs', 'blocked']],
  ['edit', ['runs', 'runs', 'blocked', 'runs', 'blocked']],
  ['watch', ['runs', 'runs', 'runs', 'runs', 'runs']],
])('the preset %s decides', async (preset, wanted) => {
  const home = await installed(preset);
  const calls = [
    home.call('Read', { file_path: 'a.txt' }),
    home.call('Write', WRITE),
    home.call('Bash', LIST),
    home.call('WebSearch', { query: 'node' }),
    home.call('mcp__github__create_issue', { title: 'x' }),
  ];
  expect((await Promise.all(calls)).map(({ what }) => what)).toEqual(wanted);
});

test.each([
  ['claude-code', 'Bash'],
  ['codex', 'Bash'],
  ['gemini', 'run_shell_command'],
  ['cursor', 'Shell'],
  ['copilot', 'Bash'],
] as const)('%s: a command runs never before the approval, once after it', async (host, shell) => {
  const home = await installed('edit', host);
  const asked = await home.call(shell, LIST);
  expect(asked.what).toBe('blocked');
  expect(asked.text).toContain(
    `Repeat exactly this call. A person decides with: agent-identity approval approve`,
  );
  expect((await home.call(shell, LIST)).what).toBe('blocked');
  await approve(home, asked.text);
  expect((await home.call(shell, { command: 'ls; rm -r .' })).what).toBe('blocked');
  expect((await home.call(shell, LIST)).what).toBe('runs');
  expect((await home.call(shell, LIST)).what).toBe('blocked');
});

test('a hook that is installed twice takes one approval', async () => {
  const home = await installed('edit');
  const event = before(home.project, 'Bash', LIST);
  await approve(home, (await home.send(event)).text);
  await Promise.all([home.send(event), home.send(event)]);
  const used = await home.cli('approval', 'list', '--status', 'used', '--json', '--storage', home.storage);
  expect(JSON.parse(used.stdout).data).toHaveLength(1);
});

test('waits for the person if approvals wait', async () => {
  const home = await installed('edit');
  configure(home, { approvals: 'wait', wait_seconds: 30 });
  const waiting = home.call('Bash', LIST);
  const pending = () =>
    home.cli('approval', 'list', '--status', 'pending', '--json', '--storage', home.storage);
  await expect.poll(async () => (await pending()).stdout, { timeout: 20_000 }).toContain('apr_');
  await approve(home, (await pending()).stdout);
  expect((await waiting).what).toBe('runs');
});

test('Codex gets a denial as exit 2, and each file of a patch needs an ALLOW', async () => {
  const home = await installed('edit', 'codex');
  expect(await home.call('view_image', { path: '/dev/null' })).toMatchObject({ what: 'runs', text: '{}' });
  const patch = (...files: readonly string[]) => ({
    command: [
      '*** Begin Patch',
      ...files.map((file) => `*** Update File: ${file}\n@@\n-a\n+b`),
      '*** End Patch',
    ].join('\n'),
  });
  expect((await home.call('apply_patch', patch('a.txt', 'b.txt'))).what).toBe('runs');
  expect(await home.call('apply_patch', patch('a.txt', '.codex/config.toml'))).toMatchObject({
    ...{ what: 'blocked', code: 2, text: expect.stringContaining('protected_path') },
  });
  expect((await home.call('apply_patch', { command: '*** Begin Patch\n*** Copy File: a\n' })).text).toContain(
    'unreadable',
  );
  expect(await home.call('tool_of_tomorrow', {})).toMatchObject({
    ...{ what: 'blocked', code: 2, text: expect.stringContaining('action_not_allowed') },
  });
  const rules = join(dirname(home.config), 'rules.json');
  writeFileSync(rules, '{"Bash":{"action":"file.read","ask":true}}', { mode: 0o600 });
  configure(home, { rules });
  expect((await home.call('Bash', LIST)).text).toContain('ask_unavailable');
});

test('Gemini CLI gets a denial as exit 2, and reports how a tool ended', async () => {
  const home = await installed('edit', 'gemini');
  await startResident(home);
  const event = asGemini(before(home.project, 'write_file', WRITE));
  expect(await home.send(event)).toMatchObject({ what: 'runs', text: '{}' });
  await home.send({
    ...event,
    hook_event_name: 'AfterTool',
    timestamp: 'later',
    tool_response: { llmContent: 'x' },
  });
  const failing = asGemini(before(home.project, 'read_file', { file_path: 'a' }));
  await home.send(failing);
  await home.send({ ...failing, hook_event_name: 'AfterTool', tool_response: { error: { message: 'x' } } });
  expect(await home.call('replace', { file_path: '.gemini/settings.json' })).toMatchObject({
    ...{ what: 'blocked', code: 2, text: expect.stringContaining('protected_path') },
  });
  expect((await home.call('web_fetch', { prompt: 'x' })).text).toContain('action_not_allowed');
  process.kill(residentsOf(home.config)[0] as number, 'SIGTERM');
  await expect.poll(() => residentsOf(home.config)).toEqual([]);
  const { stdout } = await home.cli('verifications', '--json', '--storage', home.storage);
  const outcomes = JSON.parse(stdout).data.map(
    ({ outcome }: { outcome?: { outcome: string } }) => outcome?.outcome,
  );
  expect(outcomes).toEqual(expect.arrayContaining(['succeeded', 'failed']));
});

test('try shows the answer, and check names weaknesses', async () => {
  const home = await installed('read');
  const tried = (tool: string, input: object) =>
    home.cli('hook', 'try', 'claude-code', '--tool', tool, '--input', JSON.stringify(input));
  expect(await tried('Read', { file_path: 'a' })).toMatchObject({ code: 0, stdout: '{}\n' });
  expect(await tried('Bash', LIST)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('action_not_allowed'),
  });
  expect((await home.cli('hook', 'try', 'claude-code', '--tool', 'Read', '--input', 'x')).code).toBe(2);
  expect((await home.cli('hook', 'try', 'emacs', '--tool', 'Read', '--input', '{}')).stderr).toContain(
    'Coding agents: claude-code, codex, gemini, cursor, copilot.',
  );
  mkdirSync(join(home.project, '.claude'));
  writeFileSync(join(home.project, '.claude/settings.json'), '{"disableAllHooks":true,"hooks":{}}');
  const { code, stdout } = await home.cli('hook', 'check', 'claude-code');
  expect(code).toBe(1);
  expect(stdout).toMatch(/disableAllHooks: no hook of a user runs here/);
  expect(stdout).toMatch(/They can change the input/);
  const free = await installed('watch');
  expect((await free.cli('hook', 'check', 'claude-code')).stdout).toContain('approve for itself');
  await free.cli('hook', 'install', 'claude-code', '--remove', '--yes');
  expect((await free.cli('hook', 'check', 'claude-code')).stdout).toContain('No hook is installed');
});

test('sends the session of the host if it is told so', async () => {
  const home = await installed('edit');
  const rule = {
    name: 'sealed',
    actions: ['file.write'],
    forbids: { actions: ['file.read'], seconds: 600 },
    same: ['session'],
  };
  const agent = 'did:web:hook.invalid:agents:coder';
  const to = ['--order', JSON.stringify(rule), '--storage', home.storage];
  expect((await home.cli('passport', 'update', agent, ...to)).code).toBe(0);
  const write = (session_id: string) => home.call('Write', WRITE, { session_id });
  expect((await write('one')).text).toContain('session_required');
  configure(home, { session: 'host' });
  expect((await write('one')).what).toBe('runs');
  expect((await home.call('Read', { file_path: 'a.txt' }, { session_id: 'one' })).what).toBe('runs');
  expect((await write('one')).text).toContain('order_forbidden');
  expect((await write('two')).what).toBe('runs');
  expect((await write('a b')).what).toBe('blocked');
});
