/** `requirements.toml` of Codex: written whole, read by a TOML parser of somebody else, and never merged by hand. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hasRequirements, planRequirements } from '../../adapters/cli/hook/codex-requirements.ts';
import { codingAgentNamed } from '../../adapters/cli/hook/coding-agents.ts';
import { hooksFor } from '../../adapters/cli/hook/hook-settings.ts';
import { openFolder } from '../support/process.ts';
import { hasPython } from '../support/programs.ts';

const PROGRAM = '/opt/a "b"\\c/dist/hook.cjs';
const codex = codingAgentNamed('codex');
const place = { node: '/usr/bin/node', program: PROGRAM, config: '/etc/agent/hook.json', waitSeconds: 0 };
const hooks = hooksFor(codex, place);
const plan = (path: string, remove = false) => planRequirements(path, { hooks, program: PROGRAM, remove });

function openFile(text?: string): string {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const path = join(folder, 'requirements.toml');
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

async function written(): Promise<string> {
  const path = openFile();
  const change = await plan(path);
  writeFileSync(path, change?.after ?? '');
  return path;
}

const READ = 'import json,sys,tomllib; print(json.dumps(tomllib.load(open(sys.argv[1], "rb"))))';
const python = hasPython();

describe('requirements.toml', () => {
  test.runIf(python)('has the hooks that Codex runs, for a parser of somebody else', async () => {
    const { stdout, stderr } = spawnSync('python3', ['-c', READ, await written()], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      allow_managed_hooks_only: true,
      hooks: {
        managed_dir: '/opt/a "b"\\c/dist',
        ...Object.fromEntries(Object.entries(hooks).map(([name, group]) => [name, [group]])),
      },
    });
  });

  test('does not change at a second run, changes with the hooks, and goes with --remove', async () => {
    const path = await written();
    expect(await plan(path)).toBeUndefined();
    expect(await hasRequirements(path, { hooks, program: PROGRAM })).toBe(true);
    const later = hooksFor(codex, { ...place, waitSeconds: 50 });
    expect(await hasRequirements(path, { hooks: later, program: PROGRAM })).toBe(false);
    const change = await planRequirements(path, { hooks: later, program: PROGRAM, remove: false });
    expect(change).toMatchObject({ path, after: expect.stringContaining('timeout = 80'), mode: 0o644 });
    expect(await plan(path, true)).toMatchObject({ after: '' });
    expect(await plan(openFile(), true)).toBeUndefined();
  });

  test('of somebody else stays untouched, and the lines to add are printed', async () => {
    const foreign = 'allowed_sandbox_modes = ["read-only"]\n';
    const path = openFile(foreign);
    const print = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    onTestFinished(() => print.mockRestore());
    await expect(plan(path)).rejects.toThrow('lines of somebody else. Nothing was changed');
    expect(print.mock.calls.flat().join('\n')).toContain('[[hooks.PreToolUse.hooks]]');
    expect(readFileSync(path, 'utf8')).toBe(foreign);
    // The administrator has added them.
    writeFileSync(path, `${foreign}# ${PROGRAM}\n`);
    expect(await plan(path)).toBeUndefined();
    await expect(plan(path, true)).rejects.toThrow('edit it by hand');
    expect(await plan(openFile(foreign), true)).toBeUndefined();
  });
});
