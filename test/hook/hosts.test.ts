/** The tables of the hosts: what a hook that fails does, what each tool means, and what a project can do. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asCopilot, asCursor, before, type HostName, openHome, residentsOf } from './host.ts';
import { configure, installed, startResident } from './installed.ts';

const FAILED: readonly (readonly [HostName, 'blocked' | 'runs', 'blocked' | 'runs', 'blocked' | 'runs'])[] = [
  ['claude-code', 'blocked', 'blocked', 'blocked'],
  ['codex', 'runs', 'runs', 'runs'],
  ['gemini', 'runs', 'runs', 'runs'],
  ['cursor', 'blocked', 'blocked', 'blocked'],
  ['copilot', 'blocked', 'runs', 'runs'],
];

test.each(FAILED)('%s: a crash, a late hook and garbage', async (host, crash, late, garbage) => {
  const home = await installed('watch', host);
  const written = readFileSync(home.settings, 'utf8');
  const results = [];
  for (const line of ['exit 1', 'sleep 5', 'echo garbage']) {
    const settings = JSON.parse(written);
    for (const entry of Object.values(settings.hooks).flat() as Record<string, unknown>[]) {
      const [handler] = (entry['hooks'] ?? [entry]) as Record<string, unknown>[];
      delete handler?.['args'];
      Object.assign(handler ?? {}, host === 'copilot' ? { bash: line } : { command: line });
      Object.assign(handler ?? {}, { timeout: host === 'gemini' ? 300 : 0.3, timeoutSec: 0.3 });
    }
    writeFileSync(home.settings, JSON.stringify(settings));
    results.push((await home.call('Read', { file_path: 'a' })).what);
  }
  expect(results).toEqual([crash, late, garbage]);
});

describe.each([
  ['cursor', 'Shell', asCursor],
  ['copilot', 'Bash', asCopilot],
] as const)('%s', (host, shell, told) => {
  test('decides by the actions of its tools, and denies what steers hooks', async () => {
    const home = await installed('edit', host);
    const call = async (tool: string, input: object) => (await home.call(tool, input)).what;
    const read = host === 'cursor' ? { file_path: 'a' } : { path: 'a' };
    expect(await call('Read', read)).toBe('runs');
    expect(await call('Grep', { pattern: 'x' })).toBe('runs');
    expect(await call('Write', { ...read, file_text: 'x' })).toBe('runs');
    expect(await call('Read', { file_path: 'a', path: 'b' })).toBe('blocked');
    expect(await call('tool_of_tomorrow', {})).toBe('blocked');
    const steering = host === 'cursor' ? '.cursor/hooks.json' : '.github/hooks/x.json';
    const denied = await home.call('Write', { path: steering });
    expect(denied).toMatchObject({ what: 'blocked', text: expect.stringContaining('protected_path') });
    const rules = join(dirname(home.config), 'rules.json');
    writeFileSync(rules, JSON.stringify({ [shell]: { action: 'file.read', ask: true } }), { mode: 0o600 });
    configure(home, { rules });
    const asked = await home.call(shell, { command: 'ls' });
    expect(asked.what).toBe(host === 'copilot' ? 'asks' : 'blocked');
    if (host === 'cursor') expect(asked.text).toContain('ask_unavailable');
    configure(home, { on_allow: 'allow' });
    expect((await home.call('Grep', { pattern: 'x' })).text).toContain('"allow"');
  });

  test('reports how a tool ended, and a changed call as unknown', async () => {
    const home = await installed('watch', host);
    const pid = await startResident(home);
    const after = (event: Record<string, unknown>, end: string, change: object = {}) => {
      const name = host === 'cursor' ? `post${end}` : `Post${end}`;
      return home.send({ ...event, hook_event_name: name, timestamp: 'later', ...change });
    };
    for (const [end, change] of [
      ['ToolUse', {}],
      ['ToolUseFailure', {}],
      ['ToolUse', host === 'cursor' ? { tool_input: { command: 'rm -r .' } } : {}],
    ] as const) {
      const event = told(before(home.project, shell, { command: 'ls' }));
      expect((await home.send(event)).what).toBe('runs');
      expect((await after(event, end, change)).what).toBe('runs');
    }
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => residentsOf(home.config)).toEqual([]);
    const { stdout } = await home.cli('verifications', '--json', '--storage', home.storage);
    const found = JSON.parse(stdout).data.map(
      ({ outcome }: { outcome?: { outcome: string } }) => outcome?.outcome,
    );
    // Copilot CLI gives a call no id: a call whose input changed is not found again.
    expect(found).toEqual([host === 'cursor' ? 'unknown' : 'succeeded', 'failed', 'succeeded']);
  });

  test('is added to the hooks of others, and taken out again', async () => {
    const home = openHome(host);
    const name = host === 'cursor' ? 'preToolUse' : 'PreToolUse';
    const text = `${JSON.stringify({ version: 1, hooks: { [name]: [{ command: 'mine.sh', bash: 'mine.sh' }] } }, null, 2)}\n`;
    mkdirSync(dirname(home.settings), { recursive: true });
    writeFileSync(home.settings, text);
    const install = (...more: string[]) => home.cli('hook', 'install', host, '--yes', ...more);
    expect((await install('--preset', 'read')).code).toBe(0);
    const { version, hooks } = JSON.parse(readFileSync(home.settings, 'utf8'));
    expect([version, hooks[name].length, hooks[name][0].command]).toEqual([1, 2, 'mine.sh']);
    expect((await install()).stdout).toBe('Nothing changes.\n');
    expect((await home.cli('hook', 'check', host)).stdout).not.toContain('missing or older');
    expect((await install('--remove')).code).toBe(0);
    expect(readFileSync(home.settings, 'utf8')).toBe(text);
    writeFileSync(home.settings, '{"version":2,"hooks":{}}');
    expect((await install()).code).toBe(2);
  });
});

test('the settings of a project that turn hooks off, or add some, are named by check', async () => {
  const home = await installed('read', 'copilot');
  mkdirSync(join(home.project, '.github/copilot'), { recursive: true });
  writeFileSync(join(home.project, '.github/copilot/settings.json'), '{"disableAllHooks":true}');
  expect((await home.cli('hook', 'check', 'copilot')).stdout).toContain('disableAllHooks');
  const other = await installed('read', 'cursor');
  mkdirSync(join(other.project, '.cursor'), { recursive: true });
  writeFileSync(
    join(other.project, '.cursor/hooks.json'),
    '{"version":1,"hooks":{"preToolUse":[{"command":"x"}]}}',
  );
  expect((await other.cli('hook', 'check', 'cursor')).stdout).toContain('can change the input');
});

test('Cursor: a call with several workspace folders and no cwd is blocked', async () => {
  const home = await installed('watch', 'cursor');
  const event = asCursor(before(home.project, 'Read', { file_path: 'a' }));
  const two = { ...event, workspace_roots: [home.project, home.home] };
  expect((await home.send(two)).what).toBe('blocked');
  expect((await home.send({ ...two, cwd: home.project })).what).toBe('runs');
});

test('Copilot CLI: each file of a patch needs an ALLOW, and a flight from the sandbox is named', async () => {
  const home = await installed('edit', 'copilot');
  const patch = (file: string) => `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`;
  const event = (text: string) => asCopilot({ ...before(home.project, 'Edit', {}), tool_input: text });
  expect((await home.send(event(patch('a.txt')))).what).toBe('runs');
  expect((await home.send(event(patch('.github/hooks/a.json')))).text).toContain('protected_path');
  expect((await home.send(event('*** Begin Patch\n*** Copy File: a'))).what).toBe('blocked');
});
