/** The server behind `mcp-guard` ends with its client, and ids of any size are answered. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEvaluations } from '../../adapters/cli/mcp-guard/evaluations.ts';
import { createToolGuard } from '../../src/guard/index.ts';
import { openFolder } from '../support/process.ts';
import { AGENT, openShop, startProxy } from './proxy.ts';

/** A server that stays when its input ends, and writes its process id. */
const STAYING = (file: string) =>
  `require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const NODE = process.execPath;

test.each<[string, (code: string) => readonly string[]]>([
  ['', (code) => [NODE, '-e', code]],
  [' behind a shell', (code) => ['sh', '-c', `${JSON.stringify(NODE)} -e '${code}'; true`]],
])('a server%s that ignores the end of its input ends with its client', async (_where, server) => {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const file = join(folder, 'pid');
  const proxy = startProxy(await openShop(), { server: server(STAYING(file)) });
  await expect
    .poll(() => existsSync(file) && readFileSync(file, 'utf8') !== '', { timeout: 20_000 })
    .toBe(true);
  const pid = Number(readFileSync(file, 'utf8'));
  expect(isRunning(pid)).toBe(true);
  proxy.endInput();
  await proxy.ended;
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('ids beyond 2^53 are answered under these ids', async () => {
  const proxy = startProxy(await openShop());
  const id = '90071992547409931234';
  const call = (name: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{"cents":10001}}}\n`;
  proxy.write(call('pay'));
  await expect
    .poll(() => proxy.lines().join(), { timeout: 20_000 })
    .toContain(`"id":${id},"result":{"isError":true`);
  proxy.write(call('search'));
  await expect.poll(() => proxy.received().join(), { timeout: 20_000 }).toContain(`"id":${id}`);
});

test('spends the hold of the oldest call if more than 1,000 calls have no answer', async () => {
  const { service } = await openShop();
  const ids: string[] = [];
  const pay = {
    action: 'payments.create',
    amount: '/cents',
    decimals: 2,
    currency: 'EUR',
    hold_seconds: 600,
  };
  const guard = createToolGuard({
    verifier: service,
    agentId: AGENT,
    tools: { pay },
    onVerdict: (_call, { record }) => void ids.push(record?.decision_id ?? ''),
  });
  await service.passports.update(AGENT, { budgets: [{ window: 'day', limit: 5_000 }] });
  const evaluations = createEvaluations({
    ...{ guard, denyAs: 'result' as const, answer: () => undefined, forward: () => undefined },
  });
  for (const id of Array.from({ length: 1_001 }).keys()) {
    const params = { name: id < 2 ? 'pay' : 'search', arguments: { cents: 100 } };
    evaluations.evaluate({ jsonrpc: '2.0', id, method: 'tools/call', params }, 'tools/call', id);
    await evaluations.settled();
  }
  const [first = '', second = ''] = ids;
  await expect.poll(async () => (await service.spends.get(first)).status).toBe('committed');
  expect((await service.spends.get(second)).status).toBe('held');
});
