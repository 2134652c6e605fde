/** `agent-identity verifier` beside applications in other languages. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { nodeListener } from '../../src/http/index.ts';
import { createIdentityClient, createIdentityService, type IdentityService } from '../../src/index.ts';
import { verifiers } from '../../src/verifiers/index.ts';
import { run } from '../support/command.ts';
import { CLI, type Running, type RunOptions, runShell, said, start } from '../support/process.ts';
import { hasCurl, hasPython } from '../support/programs.ts';

interface Beside {
  readonly service: IdentityService;
  readonly server: Server;
  readonly port: number;
  readonly key: string;
  readonly agent_id: string;
}

/** A service that listens, with an agent that may read orders. */
async function openService(isListening = true): Promise<Beside> {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
    capabilities: [verifiers()],
    rateLimits: 'off',
  });
  const { key } = await service.keys.create({ name: 'verifier', scopes: ['verify', 'decide'] });
  const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 0 };
  const { agent_id } = await service.passports.create({ domain: 'shop.example', agent_name: 'a', ...may });
  const server = createServer(nodeListener(service));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  if (!isListening) server.close();
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await service.close();
  });
  return { service, server, port, key, agent_id };
}

interface Started extends Running {
  readonly origin: string;
}

/** The command on a free port, as soon as it is ready. */
async function startVerifier({ port, key }: Beside, args: readonly string[] = []): Promise<Started> {
  const all = [CLI, 'verifier', '--url', `http://127.0.0.1:${port}/api`, '--port', '0', ...args];
  const running = start(process.execPath, all, { cwd: '/', env: { AGENT_IDENTITY_API_KEY: key } });
  onTestFinished(async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  });
  const origin = await said(running, () => /^ {2}API +(\S+)\/api$/m.exec(running.stdout())?.[1]);
  return { ...running, origin: origin.replace('localhost', '127.0.0.1') };
}

const intentOf = ({ agent_id }: Beside) => ({ agent_id, action: 'orders.read' });

async function ask({ origin }: Started, beside: Beside, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${origin}/api/verify`, {
    method: 'POST',
    headers: { 'x-api-key': beside.key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(intentOf(beside)),
  });
  return { status: answer.status, body: await answer.json() };
}

describe('a program with the same key and another base URL', () => {
  test('gets verdicts that are decided beside it, and nothing else is there', async () => {
    const beside = await openService();
    const started = await startVerifier(beside, ['--name', 'sidecar', '--log', 'json']);
    const client = createIdentityClient({ baseUrl: `${started.origin}/api`, apiKey: beside.key });
    expect(await client.verify(intentOf(beside))).toMatchObject({ verdict: 'ALLOW', verifier: 'sidecar' });
    const intents = [intentOf(beside), { ...intentOf(beside), action: 'refunds.create' }];
    const verdicts = await client.verifyBatch({ intents });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'DENY']);
    await expect(client.revoke({ agent_id: beside.agent_id })).rejects.toMatchObject({ code: 'not_found' });
    expect((await ask(started, beside, { 'x-api-key': `${beside.key}x` })).status).toBe(401);
    for (const [path, status] of [
      ...[['/api/health/live', 200] as const, ['/api/health/ready', 200] as const],
      ...[['/api/keys', 404] as const, ['/', 404] as const, ['/metrics', 404] as const],
    ])
      expect([path, (await fetch(`${started.origin}${path}`)).status]).toEqual([path, status]);
    expect(JSON.parse(started.stderr().split('\n')[0] ?? '')).toMatchObject({ event: 'listening' });
  });

  test.runIf(hasCurl())('may be curl', async () => {
    const beside = await openService();
    const { origin } = await startVerifier(beside);
    const body = JSON.stringify(intentOf(beside));
    const { stdout } = await runShell(
      `curl -sS ${origin}/api/verify -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d '${body}'`,
      { cwd: '/', env: { KEY: beside.key } },
    );
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'ALLOW', verifier: 'local' });
  });

  test.runIf(hasPython())('may be a Python script of the standard library', async () => {
    const beside = await openService();
    const { origin } = await startVerifier(beside);
    const env = { KEY: beside.key, URL: `${origin}/api/verify`, INTENT: JSON.stringify(intentOf(beside)) };
    const options: RunOptions = { cwd: '/', env, input: PYTHON };
    const { stdout, stderr } = await start('python3', ['-'], options).ended;
    expect([stdout.trim(), stderr]).toEqual(['ALLOW local 401', '']);
  });
});

const PYTHON = `
import json, os, urllib.error, urllib.request

def ask(key):
    headers = {"X-API-Key": key, "Content-Type": "application/json"}
    body = os.environ["INTENT"].encode()
    with urllib.request.urlopen(urllib.request.Request(os.environ["URL"], body, headers)) as answer:
        return json.load(answer)

record = ask(os.environ["KEY"])
try:
    ask("ais_live_other")
except urllib.error.HTTPError as error:
    print(record["verdict"], record["verifier"], error.code)
`;

import { PATIENT_MS } from '../support/patience.ts';

test('it starts without the service, says so, and decides once the service is there', async () => {
  const beside = await openService(false);
  const started = await startVerifier(beside);
  await said(started, () => /verifier_unconfirmed: No answer from/.exec(started.stderr())?.[0]);
  expect((await fetch(`${started.origin}/api/health/ready`)).status).toBe(503);
  const refused = await ask(started, beside);
  expect([refused.status, refused.body.code]).toEqual([503, 'service_unreachable']);
  await new Promise<void>((resolve) => beside.server.listen(beside.port, '127.0.0.1', resolve));
  expect((await ask(started, beside)).body).toMatchObject({ verdict: 'ALLOW', verifier: 'local' });
  expect((await fetch(`${started.origin}/api/health/ready`)).status).toBe(200);
});

test('SIGTERM answers what runs, sends the records that wait, and ends with 0', async () => {
  const beside = await openService();
  const started = await startVerifier(beside);
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(started, beside)));
  started.child.kill('SIGTERM');
  const { code, stderr } = await started.ended;
  expect([code, stderr]).toEqual([0, expect.stringContaining('stopped')]);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const { data } = await beside.service.verifications.list();
  expect(data.map(({ verifier }) => verifier)).toEqual(Array(20).fill('local'));
});

test('another host than this machine is announced', async () => {
  const started = await startVerifier(await openService(), ['--host', '0.0.0.0']);
  await said(started, () => /warn verifier_exposed: Others on the network reach/.exec(started.stderr())?.[0]);
});

const KEY = { AGENT_IDENTITY_API_KEY: 'ais_live_x' };
const URL_GIVEN = ['--url', 'https://id.example.com/api'];

test.each([
  [{}, URL_GIVEN, 'Set AGENT_IDENTITY_API_KEY'],
  [{ AGENT_IDENTITY_API_KEY: '' }, URL_GIVEN, 'AGENT_IDENTITY_API_KEY is empty'],
  [KEY, [], '--url'],
  [KEY, ['--url', 'ftp://id.example.com'], '--url must be like'],
  [KEY, [...URL_GIVEN, '--name', 'Bad Name'], '--name'],
  [KEY, [...URL_GIVEN, '--port', '70000'], '--port'],
  [KEY, [...URL_GIVEN, '--host', ''], '--host'],
  [KEY, [...URL_GIVEN, '--api-key', 'x'], '--api-key'],
  [KEY, [...URL_GIVEN, '--authzen-agent-domain', 'example.com'], '--authzen-agent-domain needs --authzen'],
  [
    KEY,
    [...URL_GIVEN, '--authzen', '--authzen-agent-domain', 'x'],
    '--authzen-agent-domain must be a domain',
  ],
  [{ ...KEY, AGENT_IDENTITY_AUTHZEN: 'no' }, URL_GIVEN, 'AGENT_IDENTITY_AUTHZEN must be 1'],
])('what cannot work is refused before it listens: %o %o', async (env, args, message) => {
  const { code, stdout, stderr } = await run(['verifier', ...args], { cwd: '/', env });
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
});
