import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { nodeListener } from '../../src/http/index.ts';
import { root } from '../architecture/sources.ts';
import { openService } from '../support/service.ts';

const run = promisify(execFile);

/** openapi-typescript is written for the API of the compiler that TypeScript 7 does not have. */
const HOOKS = `export const resolve = (specifier, context, next) =>
  next(specifier === 'typescript' ? '@typescript/typescript6' : specifier, context);`;
const REGISTER = `import { register } from 'node:module';
register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(HOOKS)}`)});`;

/** What a user writes over the generated types. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const baseUrl = process.argv[2] ?? '';
const api = createClient<paths>({ baseUrl });

const credentials = { email: 'ann@example.com', password: 'a-long-password-of-ann' };
await api.POST('/auth/register', { body: credentials });
const session = await api.POST('/auth/login', { body: credentials });
if (session.data === undefined) throw new Error(session.error.detail);
const headers = { authorization: 'Bearer ' + session.data.access_token };

const made = await api.POST('/keys', { headers, body: { name: 'generated', scopes: ['verify'] } });
const key: string = made.data?.key ?? '';
const passport = await api.POST('/passports', {
  headers,
  body: {
    domain: 'shop.example',
    agent_name: 'shopper',
    allowed_actions: ['payments.create'],
    monetary_limit_per_txn: '19.99',
    currency: 'EUR',
  },
});
const agent_id = passport.data?.agent_id ?? '';
const ask = (amount: number | string) =>
  api.POST('/verify', {
    headers: { 'x-api-key': key },
    body: { agent_id, action: 'payments.create', parameters: { amount, currency: 'EUR', invoice: 118 } },
  });
const allowed = await ask('19.99');
const denied = await ask(20);
const bad = await api.PATCH('/passports/{agent_id}', {
  headers,
  params: { path: { agent_id } },
  body: { expires_at: 'soon' },
});
const list = await api.GET('/verifications', { headers, params: { query: { verdict: 'DENY', limit: 1 } } });
// @ts-${'expect-error'}: a currency is text
const wrong = () => api.POST('/verify', { body: { agent_id, action: 'a', parameters: { currency: 1 } } });

console.log(
  JSON.stringify({
    allowed: allowed.data?.verdict,
    denied: denied.data?.reasons.map(({ code }) => code),
    bad: bad.error?.errors?.map(({ path }) => path),
    // As CSV it is text.
    listed: typeof list.data === 'object' && list.data.data.map(({ amount }) => amount),
    wrong: typeof wrong,
  }),
);
`;

test('a client generated from the document compiles, and works with a real server', async () => {
  const { service } = openService({ registration: 'open' });
  const server = createServer(nodeListener(service)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const folder = await mkdtemp(join(tmpdir(), 'agent-identity-client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const node = (...args: string[]) =>
    run(process.execPath, args, { cwd: folder }).catch((failure) => ({ stdout: failure.stdout || failure }));

  const document = await (await fetch(`${baseUrl}/openapi.json`)).text();
  await writeFile(join(folder, 'openapi.json'), document);
  await writeFile(join(folder, 'register.mjs'), REGISTER);
  const generator = join(root, 'node_modules/openapi-typescript/bin/cli.js');
  await node('--import', './register.mjs', generator, 'openapi.json', '-o', 'api.d.ts');

  const compilerOptions = {
    ...{ target: 'es2023', module: 'nodenext', types: ['node'], strict: true },
    ...{ skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['api.d.ts', 'program.ts'] }),
  );
  expect((await node(join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')).stdout).toBe('');
  const { stdout } = await node('program.js', baseUrl);
  expect(JSON.parse(stdout)).toEqual({
    allowed: 'ALLOW',
    denied: ['amount_over_limit'],
    bad: ['/expires_at'],
    listed: [20],
    wrong: 'function',
  });
});
