/** `hook install` on settings that belong to somebody. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Home, openHome } from './host.ts';

const FOREIGN = {
  model: 'opus',
  hooks: {
    Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }],
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'check.sh', timeout: 5 }] }],
  },
  permissions: { allow: ['Read'] },
};

function install(home: Home, ...more: readonly string[]) {
  return home.cli('hook', 'install', 'claude-code', '--yes', ...more);
}

function write(home: Home, text: string): void {
  mkdirSync(dirname(home.settings), { recursive: true });
  writeFileSync(home.settings, text);
}

test('keeps every other member and hook, and takes its own out again', async () => {
  const home = openHome();
  const text = `${JSON.stringify(FOREIGN, null, 4)}\n`;
  write(home, text);
  chmodSync(home.settings, 0o640);
  const first = await install(home, '--preset', 'read');
  expect(first.code).toBe(0);
  const removed = first.stdout.split('\n').filter((line) => line.startsWith('- ') && !/^- [A-Z]/.test(line));
  expect(removed.filter((line) => !/[\]}],?$/.test(line))).toEqual([]);
  const written = JSON.parse(readFileSync(home.settings, 'utf8'));
  expect(written).toMatchObject({ model: 'opus', permissions: { allow: ['Read'] } });
  expect(written.hooks.Stop).toEqual(FOREIGN.hooks.Stop);
  expect(written.hooks.PreToolUse[0]).toEqual(FOREIGN.hooks.PreToolUse[0]);
  expect(written.hooks.PreToolUse).toHaveLength(2);
  expect(statSync(home.settings).mode & 0o777).toBe(0o640);
  const before = readFileSync(home.settings, 'utf8');
  expect((await install(home)).stdout).toBe('Nothing changes.\n');
  expect(readFileSync(home.settings, 'utf8')).toBe(before);
  expect((await install(home, '--remove')).code).toBe(0);
  expect(readFileSync(home.settings, 'utf8')).toBe(text);
  expect((await install(home, '--remove')).stdout).toBe('Nothing changes.\n');
  expect(readdirSync(dirname(home.settings))).toEqual(['settings.json']);
});

test('replaces its own older hook, also in a group of others', async () => {
  const home = openHome();
  const old = { type: 'command', command: '/old/node /old/dist/hook.cjs claude-code --config /old.json' };
  const other = { type: 'command', command: 'other.sh' };
  write(home, JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: [old, other] }] } }));
  await install(home, '--preset', 'read');
  const { hooks } = JSON.parse(readFileSync(home.settings, 'utf8'));
  expect(hooks.PreToolUse[0].hooks).toEqual([other]);
  expect(JSON.stringify(hooks)).not.toContain('/old/');
});

test.each([
  ['a comment', '{\n  // mine\n  "model": "opus"\n}\n'],
  ['a repeated name', '{"model":"opus","model":"haiku"}'],
  ['hooks of another form', '{"hooks":["x"]}'],
  ['a number that no double holds', '{"a":12345678901234567890123}'],
])('leaves settings with %s as they are, and prints the block', async (_what, text) => {
  const home = openHome();
  write(home, text);
  const { code, stdout, stderr } = await install(home, '--preset', 'read');
  expect(code).toBe(2);
  expect(JSON.parse(stdout).hooks.PreToolUse[0].hooks[0]).toMatchObject({ onFailure: 'block', timeout: 30 });
  expect(stderr).toContain('add the block above by hand');
  expect(readFileSync(home.settings, 'utf8')).toBe(text);
  expect(existsSync(home.config)).toBe(false);
  const byHand = `// mine\n${stdout}`;
  write(home, byHand);
  expect((await install(home, '--preset', 'read')).code).toBe(0);
  expect(readFileSync(home.settings, 'utf8')).toBe(byHand);
  expect(existsSync(home.config)).toBe(true);
});

test('follows the link of the user', async () => {
  const home = openHome();
  const real = join(home.home, 'dotfiles.json');
  writeFileSync(real, '{"model":"opus"}');
  mkdirSync(dirname(home.settings));
  symlinkSync(real, home.settings);
  expect((await install(home, '--preset', 'read')).code).toBe(0);
  expect(lstatSync(home.settings).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(real, 'utf8'))).toHaveProperty('hooks');
});

test('writes nothing without a terminal, --yes and --preset, or with --print', async () => {
  const home = openHome();
  for (const args of [[], ['--yes'], ['--preset', 'read'], ['--preset', 'all', '--yes']]) {
    expect((await home.cli('hook', 'install', 'claude-code', ...args)).code).toBe(2);
  }
  expect((await home.cli('hook', 'install', 'claude-code', '--print')).code).toBe(0);
  expect((await install(home, '--url', 'https://id.example.com')).stderr).toContain('--key-file');
  expect((await install(home, '--url', 'https://id.example.com', '--storage', 'sqlite:a')).code).toBe(2);
  expect((await home.cli('hook', 'install', 'emacs', '--yes')).stderr).toContain(
    'claude-code, codex, gemini',
  );
  expect(readdirSync(home.home)).toEqual(['project']);
});

test('makes a folder, files and a passport of the user alone', async () => {
  const home = openHome();
  expect((await install(home, '--preset', 'edit')).code).toBe(0);
  const folder = dirname(home.config);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of ['hook.json', 'passports.db']) {
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  const { stdout } = await home.cli('passport', 'list', '--json', '--storage', home.storage);
  expect(JSON.parse(stdout).data).toMatchObject([
    { agent_id: 'did:web:hook.invalid:agents:coder', approval: { actions: ['shell.run'] } },
  ]);
});

test('names a service by its address and the file of its key', async () => {
  const home = openHome();
  const { code } = await install(
    home,
    '--url',
    'https://id.example.com',
    '--key-file',
    '../key',
    '--agent',
    'did:web:a.example:agents:b',
  );
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(home.config, 'utf8'))).toEqual({
    ...{ agent: 'did:web:a.example:agents:b', url: 'https://id.example.com' },
    key: `file:${join(home.home, 'key')}`,
  });
  expect(existsSync(join(dirname(home.config), 'passports.db'))).toBe(false);
});

test('writes one line without a shell for Claude Code, and a quoted one for Codex', async () => {
  const home = openHome('codex');
  await home.cli('hook', 'install', 'codex', '--preset', 'read', '--yes');
  const { hooks } = JSON.parse(readFileSync(home.settings, 'utf8'));
  expect(hooks.PreToolUse[0].hooks[0].command).toMatch(
    /^\/usr\/bin\/env -i HOME=\S+ PATH=\/usr\/bin:\/bin \/\S+ \/\S+\/hook\.cjs codex --config \/\S+hook\.json$/,
  );
  expect(Object.keys(hooks)).toEqual(['PreToolUse', 'PostToolUse', 'SessionStart']);
});
