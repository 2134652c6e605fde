import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { check, refusalOf } from './commits.mjs';

test.each([
  'fix(http): read the body once',
  'docs: answer common tasks from the README',
  'feat(cli)!: name an account by its e-mail',
  'fix(guard): pass the signal on',
  'fix(events): need one read for a page',
])('accepts %s', (subject) => expect(refusalOf(subject)).toBeUndefined());

test.each([
  ['fixup', 'is not of the form'],
  ['fix(http) read the body', 'is not of the form'],
  ['fix(http): read', 'is not of the form'],
  ['fix(http): the body is read once', 'begins with "the"'],
  ['fix(http): reads the body once', 'use the imperative'],
  ['fix(http): fixed the body', 'use the imperative'],
  ['fix(http): reading the body', 'use the imperative'],
  ['fix(http): read the body; close it', 'has a semicolon'],
  [`fix(http): read ${'x'.repeat(72)}`, 'has 88 characters'],
])('refuses %s', (subject, why) => expect(refusalOf(subject)).toContain(why));

/** A repository whose first commit has no check yet. */
function openRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'commits-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  const commit = (subject: string) => git('commit', '--quiet', '--allow-empty', '--message', subject);
  git('init', '--quiet', '--initial-branch=main');
  commit('the history before the check');
  mkdirSync(join(folder, 'test/words'), { recursive: true });
  writeFileSync(join(folder, 'test/words/commits.mjs'), '');
  git('add', '.');
  commit('test: check the subjects of commits');
  return { folder, git, commit };
}

test('looks at commits since the check exists, and at none before', () => {
  const { folder, commit } = openRepository();
  expect(check(folder)).toEqual([]);
  commit('fixup');
  expect(check(folder)).toEqual([
    expect.stringContaining('is not of the form type(scope): verb object: fixup'),
  ]);
});

test('looks at the commits that the remote does not have', () => {
  const { folder, git, commit } = openRepository();
  commit('fixup');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  expect(check(folder)).toEqual([]);
  commit('mend');
  expect(check(folder)).toHaveLength(1);
});

test('throws if there is no history', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commits-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(() => check(folder)).toThrow();
});
