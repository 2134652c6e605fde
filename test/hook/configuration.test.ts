/** The configuration of the hook, and events that block. */
import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readTrusted } from '../../adapters/cli/hook/trusted-file.ts';
import { CLI } from '../support/process.ts';
import { before, type Home } from './host.ts';
import { configure, installed, LIST, startResident, WRITE } from './installed.ts';

test.each([
  ['no JSON', 'garbage'],
  ['a repeated name', '{"cwd":"/","cwd":"/tmp"}'],
  ['no object', '[]'],
  ['no tool', JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/', tool_use_id: 't' })],
  ['a relative folder', JSON.stringify(before('.', 'Read', { file_path: 'a' }))],
  ...['pretooluse', 'PreToolUse ', 'BeforeToolUse', 'constructor'].map(
    (hook_event_name): [string, string] => [
      `the name ${hook_event_name}`,
      JSON.stringify({ ...before('/', 'Read', { file_path: '/a' }), hook_event_name }),
    ],
  ),
  ['65 levels', `{"a":${'['.repeat(65)}${']'.repeat(65)}}`],
  ['nothing', ''],
])('an event with %s is blocked', async (_what, raw) => {
  const home = await installed('watch');
  expect(await home.send(before(home.project, 'Read', {}), { raw })).toMatchObject({
    what: 'blocked',
    code: 2,
  });
});

test.each([
  ['an unknown field', (home: Home) => configure(home, { approval: 'wait' }), 'Did you mean approvals?'],
  ['a repeated name', (home: Home) => writeFileSync(home.config, '{"agent":"a","agent":"b"}'), 'name twice'],
  ['no file', (home: Home) => rmSync(home.config), 'hook install'],
  ['others who may write it', (home: Home) => chmodSync(home.config, 0o622), 'chmod go-w'],
  ['others who may write its folder', (home: Home) => chmodSync(dirname(home.config), 0o777), 'chmod go-w'],
  [
    'no such agent',
    (home: Home) => configure(home, { agent: 'did:web:a.example:agents:b' }),
    'agent_not_found',
  ],
  ['a wrong value', (home: Home) => configure(home, { wait_seconds: 541 }), 'from 1 to 540'],
  ['a session', (home: Home) => configure(home, { session: 'mine' }), 'session must be none or host'],
  ['no storage', (home: Home) => rmSync(home.storage.slice('sqlite:'.length)), 'There is no database'],
  [
    'a place in the project',
    (home: Home) => {
      const moved = join(home.project, 'hook');
      renameSync(dirname(home.config), moved);
      symlinkSync(moved, dirname(home.config));
    },
    'lies in the project',
  ],
  [
    'readable keys',
    (home: Home) => {
      const key = join(dirname(home.config), 'key');
      writeFileSync(key, 'ais_live_x', { mode: 0o644 });
      configure(home, { storage: undefined, url: 'https://id.example.com', key: `file:${key}` });
    },
    'chmod 600',
  ],
])('a configuration with %s blocks', async (_what, spoil, problem) => {
  const home = await installed('watch');
  spoil(home);
  const result = await home.call('Read', { file_path: 'a' });
  expect(result).toMatchObject({ what: 'blocked', text: expect.stringContaining(problem) });
});

test('no tool for files writes what steers hooks, whatever the passport and unjudged say', async () => {
  const home = await installed('watch');
  configure(home, { unjudged: ['Write', 'Edit', 'NotebookEdit'] });
  await startResident(home);
  symlinkSync(dirname(home.config), join(home.project, 'innocent'));
  const files = [
    ...[
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.Claude/Settings.json',
      '.codex/config.toml',
    ],
    ...['.cursor/hooks.json', '.gemini/settings.json', '.github/hooks/a.sh', '.copilot/x', '.mcp.json'],
    ...['/etc/claude-code/managed-settings.json', 'innocent/hook.json', home.config],
    ...[join(dirname(CLI), 'hook.cjs'), process.execPath],
  ];
  for (const file_path of files) {
    const result = await home.call('Edit', { file_path, old_string: 'a', new_string: 'b' });
    expect([file_path, result.what, /protected_path/.test(result.text)]).toEqual([
      file_path,
      'blocked',
      true,
    ]);
  }
  expect((await home.call('Write', WRITE)).what).toBe('runs');
});

test('a rule lets no tool for files write through a link that leads nowhere', async () => {
  const home = await installed('watch');
  const rules = join(dirname(home.config), 'rules.json');
  const rule = { action: 'file.write' };
  const names = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'apply_patch'];
  writeFileSync(rules, JSON.stringify(Object.fromEntries(names.map((name) => [name, rule]))), {
    mode: 0o600,
  });
  configure(home, { rules });
  await startResident(home);
  symlinkSync(join(home.home, '.claude/settings.local.json'), join(home.project, 'innocent'));
  const input = (file: string) => ({
    file_path: file,
    notebook_path: file,
    command: `*** Begin Patch\n*** Update File: ${file}\n*** End Patch`,
  });
  for (const tool of names) {
    const result = await home.call(tool, input('innocent'));
    expect([tool, result.what, /unreadable/.test(result.text)]).toEqual([tool, 'blocked', true]);
    expect([tool, (await home.call(tool, input('b.txt'))).what]).toEqual([tool, 'runs']);
  }
});

test('rules of the file come first, and ask only narrows', async () => {
  const home = await installed('watch');
  const rules = join(dirname(home.config), 'rules.json');
  writeFileSync(
    rules,
    JSON.stringify({ Bash: { action: 'commands.run', ask: true }, pay: { amount: '/amount' } }),
    {
      mode: 0o600,
    },
  );
  configure(home, { rules });
  expect((await home.call('Bash', LIST)).what).toBe('asks');
  for (const permission_mode of ['bypassPermissions', 'dontAsk', 'auto']) {
    expect((await home.call('Bash', LIST, { permission_mode })).text).toContain('ask_unavailable');
  }
  expect((await home.call('Pay', {})).text).toContain('intent_unreadable');
  expect((await home.call('pay', {})).text).toContain('amount_invalid');
  configure(home, { rules, agent: 'did:web:a.example:agents:b' });
  expect((await home.call('Bash', LIST)).what).toBe('blocked');
});

test('on_allow skips the question of the host', async () => {
  const home = await installed('watch');
  expect((await home.call('Bash', LIST)).text).toBe('{}');
  configure(home, { on_allow: 'allow' });
  expect((await home.call('Bash', LIST)).text).toContain('"permissionDecision":"allow"');
});

test('the variables of a project replace nothing in the hook', async () => {
  const home = await installed('read');
  const evil = join(home.project, 'evil.cjs');
  writeFileSync(evil, "require('fs').writeSync(1, '{}'); process.exit(0);");
  const env = { NODE_OPTIONS: `--require ${evil}`, AGENT_IDENTITY_STORAGE: 'memory:' };
  expect((await home.send(before(home.project, 'Write', WRITE), { env })).what).toBe('blocked');
});

test('a file that others may write is refused under a path that ends in a dot', async () => {
  const { config } = await installed('watch');
  expect(await readTrusted(`${config}/.`, { what: 'the configuration' })).toBeInstanceOf(Uint8Array);
  chmodSync(config, 0o622);
  for (const path of [config, `${config}/.`, `${config}/./.`])
    await expect(readTrusted(path, { what: 'the configuration' })).rejects.toThrow('Others may write');
});
