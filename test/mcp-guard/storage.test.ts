import { join } from 'node:path';
import { createIdentityService } from 'agent-identity-service';
import { sqliteStorage } from 'agent-identity-service/storage/sql';
import { expect, onTestFinished, test } from 'vitest';
import { PATIENT_MS } from '../support/patience.ts';
import { openFolder, runProcess } from '../support/process.ts';

test('over a storage the verdicts are formed in the proxy, and stored when it ends', async () => {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const file = join(folder, 'agents.db');
  const open = async () =>
    createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: await sqliteStorage({ file }) });
  const before = await open();
  const { agent_id } = await before.passports.create({
    ...{
      domain: 'example.com',
      agent_name: 'shopper',
      allowed_actions: ['search'],
      monetary_limit_per_txn: 1,
    },
  });
  await before.close();
  const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
  const _meta = { traceparent: `00-${trace_id}-00f067aa0ba902b7-01` };
  const call = (id: number, name: string) => {
    const params = { name, ...(name === 'pay' && { _meta }) };
    return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
  };
  const args = ['mcp-guard', '--agent', agent_id, '--storage', `sqlite:${file}`, '--', 'cat'];
  const { code, stdout } = await runProcess(args, { cwd: folder, input: call(1, 'search') + call(2, 'pay') });
  expect(code).toBe(0);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines).toContain(call(1, 'search').trim());
  expect(lines.find((line) => line.includes('"id":2'))).toContain('action_not_allowed');
  const after = await open();
  const { data } = await after.verifications.list({ agent_id });
  await after.close();
  const asked = data
    .filter(({ dry_run }) => !dry_run)
    .map((record) => [record.action, record.verdict, record.trace_id]);
  expect(asked.sort()).toEqual([
    ['pay', 'DENY', trace_id],
    ['search', 'ALLOW', null],
  ]);
});
