/** The settings of `serve` for an issuer. */
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../readme/run.ts';
import { run } from '../support/command.ts';
import { type Issuer, startIssuer } from '../support/oidc-issuer.mjs';
import { GIVEN, openFolder, ready, start, startServe } from '../support/process.ts';

let folder: string;
let remove: () => void;
beforeEach(() => {
  ({ folder, remove } = openFolder());
});
afterEach(() => remove());

const ISSUER = ['--oidc-issuer', 'https://login.example.com', '--oidc-client-id', 'service'];
const ENTRY = { claim: 'groups', value: 'payments', account: 'admin@localhost', role: 'approver' };

/** The message with which a start is refused, before anything is made. */
async function refused(...args: readonly string[]): Promise<string> {
  const { code, stderr } = await run(['serve', '--port', '0', ...args], { cwd: folder });
  expect({ args, code }).toEqual({ args, code: 2 });
  return stderr;
}

function writeMap(content: unknown): string {
  const path = join(folder, 'map.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe('a start is refused', () => {
  test.each<[says: string, args: readonly string[]]>([
    ['--oidc-client-id needs --oidc-issuer', ['--oidc-client-id', 'a']],
    ['--oidc-label needs --oidc-issuer', ['--oidc-label', 'a']],
    ['--oidc-map needs --oidc-issuer', ['--oidc-map', 'map.json']],
    ['--oidc-issuer needs --oidc-client-id', ['--oidc-issuer', 'https://login.example.com']],
    ['--oidc-issuer needs --public-url', [...ISSUER, '--host', '0.0.0.0']],
    ['--allow-localhost', ['--oidc-issuer', 'http://localhost:1', '--oidc-client-id', 'a']],
    [
      '--oidc-issuer stands for several',
      ['--oidc-issuer', 'https://login.example/common', '--oidc-client-id', 'a'],
    ],
    ['--oidc-scope must contain openid', [...ISSUER, '--oidc-scope', 'email']],
    ['cannot be read', [...ISSUER, '--oidc-client-secret-file', 'nowhere']],
    ['cannot be read', [...ISSUER, '--oidc-map', 'nowhere.json']],
  ])('%s', async (says, args) => {
    expect(await refused(...args)).toContain(says);
  });

  test.each<[says: string, map: unknown]>([
    ['one JSON array', { groups: 'payments' }],
    ['at least one entry', []],
    ['entry 1: There is no field "group"', [{ ...ENTRY, group: 'a' }]],
    ['entry 2: role must be one of', [ENTRY, { ...ENTRY, role: 'root' }]],
    ['entry 1: role must be one of', [{ ...ENTRY, role: 'Approver' }]],
    ['entry 1: claim must be', [{ ...ENTRY, claim: '' }]],
    ['entry 1: value must be', [{ ...ENTRY, value: null }]],
    ['entry 1: account must be', [{ ...ENTRY, account: '' }]],
    ['entry 1 names no account: admin', [{ ...ENTRY, account: 'admin' }]],
    ['entry 2 names no account: ben@example.com', [ENTRY, { ...ENTRY, account: 'ben@example.com' }]],
    ['entry 1 names no account: acc_nobody', [{ ...ENTRY, account: 'acc_nobody' }]],
  ])('for a map: %s', async (says, map) => {
    expect(await refused(...ISSUER, '--oidc-map', writeMap(map))).toContain(says);
  });
});

describe('without the package openid-client', () => {
  /** Runs the built command where every package is but that one. */
  function serve(...args: readonly string[]) {
    const { folder: installed, remove: removeInstalled } = openFolder();
    onTestFinished(removeInstalled);
    for (const name of ['dist', 'package.json'])
      cpSync(join(root, name), join(installed, name), { recursive: true });
    mkdirSync(join(installed, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (name === 'openid-client') continue;
      symlinkSync(join(root, 'node_modules', name), join(installed, 'node_modules', name));
    }
    const command = [join(installed, 'dist/cli.js'), 'serve', '--port', '0', ...args];
    return start(process.execPath, command, { cwd: folder, env: GIVEN });
  }

  test('a start with an issuer says what to install, in one line, and makes nothing', async () => {
    const { code, stdout, stderr } = await serve(...ISSUER).ended;
    const line =
      'agent-identity: --oidc-issuer needs a package next to this command: npm install openid-client\n';
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: line });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a start without one needs no package', async () => {
    const serving = await ready(serve());
    expect((await serving.stop()).code).toBe(0);
  });
});

describe('with an issuer', () => {
  let issuer: Issuer;
  beforeEach(async () => {
    issuer = await startIssuer('http://localhost:3999/');
  });
  afterEach(() => issuer.close());

  async function serve(...args: readonly string[]) {
    const env = { ...GIVEN, AGENT_IDENTITY_OIDC_CLIENT_SECRET: issuer.clientSecret };
    return startServe({ cwd: folder, env }, [
      ...['--oidc-issuer', issuer.issuer, '--oidc-client-id', issuer.clientId, '--allow-localhost'],
      ...['--public-url', 'http://localhost:3999/api', ...args],
    ]);
  }

  test('it says which redirect URI the issuer must know, and a map places people by their claims', async () => {
    const map = [
      { ...ENTRY, value: 'others' },
      { claim: '/realm_access/roles', value: 'agents', account: 'admin@localhost', role: 'editor' },
      ENTRY,
    ];
    const serving = await serve('--oidc-map', writeMap(map), '--oidc-label', 'Our login');
    try {
      expect(serving.stdout()).toContain('redirect URI http://localhost:3999/');
      expect(await (await fetch(serving.origin)).text()).toContain('<meta name="oidc" content="Our login">');
      const post = async (path: string, body: object = {}) => {
        const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
        const answer = await fetch(`${serving.origin}/api${path}`, { ...init, body: JSON.stringify(body) });
        return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> };
      };
      const { url = '', transaction = '' } = (await post('/auth/oidc/start')).body;
      const response = await issuer.browse(url);
      const { status, body } = await post('/auth/oidc/finish', { transaction, response });
      expect(status).toBe(200);
      const headers = { authorization: `Bearer ${body['access_token']}` };
      const account = (await (await fetch(`${serving.origin}/api/account`, { headers })).json()) as object;
      expect(account).toMatchObject({ email: 'admin@localhost', member: { role: 'editor' } });
    } finally {
      await serving.stop();
    }
    const written = serving.stdout() + serving.stderr();
    for (const hidden of [issuer.clientSecret, 'person-1']) expect(written).not.toContain(hidden);
  });
});
