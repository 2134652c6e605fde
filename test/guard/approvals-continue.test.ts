/** Calls that continue after an approval: the same call finds its approval. */
import { createIdentityClient, type IdentityService } from 'agent-identity-service';
import type { ToolCall, ToolGuardOptions, ToolVerdict, Verifier } from 'agent-identity-service/guard';
import { nodeListener } from 'agent-identity-service/http';
import { expect, test } from 'vitest';
import { createToolGuard } from '../../src/guard/index.ts';
import { listen } from '../support/servers.ts';
import { guardOf, openShop } from './matrix.mjs';

const CALL: ToolCall = { name: 'pay', args: { cents: 2_500 } };
const PAGE = 'https://id.example/approvals/';

/** A shop where a person approves what costs more than 10, with guards whose calls find their approvals. */
async function openDesk() {
  const service = await openShop({ approval: { above: 10 } });
  const open = (options: Partial<ToolGuardOptions> = {}) => guardOf(service, { approvals: {}, ...options });
  return { service, open };
}

function codesOf(verdict: ToolVerdict): readonly string[] {
  return verdict.allowed ? [] : verdict.reasons.map(({ code }) => code);
}

function idIn(verdict: ToolVerdict): string {
  return (verdict.allowed ? undefined : verdict.approval?.id) ?? expect.fail('no person is asked');
}

async function statusesOf(service: IdentityService): Promise<readonly string[]> {
  return (await service.approvals.list()).data.map(({ status }) => status);
}

test('the same call runs never before the approval, once after it, and then asks again, with a new guard each time', async () => {
  const { service, open } = await openDesk();
  let runs = 0;
  const run = (): Promise<number> => open().run(CALL, () => ++runs);
  const asked = await open().judge(CALL);
  expect(asked).toMatchObject({
    text: expect.stringMatching(
      /\(approval_required\) The tool was not run\. Wait until a person has approved apr_\w+\. Repeat exactly this call\.$/,
    ),
  });
  await expect(run()).rejects.toMatchObject({
    code: 'tool_denied',
    details: { approval: { id: idIn(asked) } },
  });
  await service.approvals.approve(idIn(asked));
  expect(codesOf(await open().judge({ ...CALL, args: { cents: 2_501 } }))).toEqual(['approval_required']);
  const rival = open({ subject: 'another' });
  expect(codesOf(await rival.judge(CALL))).toEqual(['approval_required']);
  expect(await run()).toBe(1);
  await expect(run()).rejects.toMatchObject({ details: { reasons: [{ code: 'approval_required' }] } });
  expect(runs).toBe(1);
});

test('of two calls at once one uses the approval', async () => {
  const { service, open } = await openDesk();
  await service.approvals.approve(idIn(await open().judge(CALL)));
  const verdicts = await Promise.all([open().judge(CALL), open().judge(CALL)]);
  expect(verdicts.map(({ allowed }) => allowed).sort()).toEqual([false, true]);
});

test('copies under one key of the application use one approval', async () => {
  const { service, open } = await openDesk();
  const guard = open({ idempotencyKey: () => 'order-1' });
  await service.approvals.approve(idIn(await guard.judge(CALL)));
  for (let copy = 0; copy < 3; copy += 1) expect((await guard.judge(CALL)).allowed).toBe(true);
  expect(codesOf(await open({ idempotencyKey: () => 'order-2' }).judge(CALL))).toEqual(['approval_required']);
  expect(await statusesOf(service)).toEqual(['pending', 'used']);
});

test('a rejected call is denied, and a suspended agent uses no approval', async () => {
  const { service, open } = await openDesk();
  await service.approvals.reject(idIn(await open().judge(CALL)));
  expect(codesOf(await open().judge(CALL))).toEqual(['approval_rejected']);
  const other = { name: 'pay', args: { cents: 2_600 } };
  const id = idIn(await open().judge(other));
  await service.approvals.approve(id);
  await service.suspend({ agent_id: 'did:web:example.com:agents:shopper' });
  expect(codesOf(await open().judge(other))).toEqual(['agent_suspended']);
  expect(await service.approvals.get(id)).toMatchObject({ status: 'approved' });
});

test('evaluates a dry run, an observing guard and a call that names an approval as before', async () => {
  const { service, open } = await openDesk();
  const id = idIn(await open().judge(CALL));
  await service.approvals.approve(id);
  expect(codesOf(await open().judge(CALL, { dry_run: true }))).toEqual(['approval_required']);
  const seen: string[] = [];
  await open({ mode: 'observe', onVerdict: (_, verdict) => seen.push(...codesOf(verdict)) }).judge(CALL);
  expect(seen).toEqual(['approval_required']);
  const named = await open().judge({ ...CALL, approval_id: 'apr_unknown' });
  expect(codesOf(named)).toEqual(['approval_mismatch']);
  expect(await statusesOf(service)).toEqual(['approved']);
});

test('waits for the person, and no longer than waitMs', async () => {
  const { service, open } = await openDesk();
  const waiting = open({ approvals: { waitMs: 20_000 } }).judge(CALL);
  await expect.poll(() => statusesOf(service)).toEqual(['pending']);
  const [{ id = '' } = {}] = (await service.approvals.list()).data;
  await service.approvals.approve(id);
  expect((await waiting).allowed).toBe(true);
  const impatient = open({ approvals: { waitMs: 300 }, timeoutMs: 500 });
  expect(codesOf(await impatient.judge(CALL))).toEqual(['approval_required']);
});

test('hears one verdict for each call, and denies where the approval cannot be read', async () => {
  const { service, open } = await openDesk();
  await service.approvals.approve(idIn(await open().judge(CALL)));
  const heard: boolean[] = [];
  const onVerdict = (_: ToolCall, { allowed }: ToolVerdict): number => heard.push(allowed);
  const blind: Verifier = {
    verify: service.verify,
    approvals: { get: async () => Promise.reject(new Error('secret-host')) },
  };
  const verdict = await guardOf(blind, { approvals: {}, onVerdict }).judge(CALL);
  expect(codesOf(verdict)).toEqual(['approval_required']);
  expect(JSON.stringify(verdict)).not.toContain('secret-host');
  expect((await open({ onVerdict }).judge(CALL)).allowed).toBe(true);
  expect(heard).toEqual([false, true]);
});

test('approvalFor asks a person once, takes nothing, and says what was decided', async () => {
  const { service, open } = await openDesk();
  const guard = open({ approvals: { url: PAGE } });
  const needed = await guard.approvalFor?.(CALL);
  expect(needed).toEqual({
    ...{ id: expect.stringMatching(/^apr_/), status: 'pending', expires_at: expect.any(String) },
    ...{
      url: `${PAGE}${needed?.id}`,
      text: expect.stringContaining(`at ${PAGE}${needed?.id}. Repeat exactly`),
    },
  });
  await service.approvals.approve(needed?.id ?? '');
  expect(await guard.approvalFor?.(CALL)).toMatchObject({ id: needed?.id, status: 'approved' });
  expect(await statusesOf(service)).toEqual(['approved']);
  expect(await guard.approvalFor?.({ name: 'pay', args: { cents: 100 } })).toBeUndefined();
  expect(await guard.approvalFor?.({ name: 'pay', args: { cents: 1_000_000 } })).toBeUndefined();
  expect(await guard.approvalFor?.({ name: 'pay', args: new Date() })).toBeUndefined();
  expect(guardOf(service)).not.toHaveProperty('approvalFor');
});

test('finds the approval over HTTP', async () => {
  const { service } = await openDesk();
  const { key: apiKey } = await service.keys.create({ name: 'guard' });
  const url = `${await listen(nodeListener(service))}/api`;
  const open = () =>
    guardOf(createIdentityClient({ baseUrl: url, apiKey }), { approvals: {}, timeoutMs: 5_000 });
  await service.approvals.approve(idIn(await open().judge(CALL)));
  expect(await open().run(CALL, () => 'paid')).toBe('paid');
});

test.each([
  [{ approvals: 7 }, 'approvals must be an object'],
  [{ approvals: { page: PAGE } }, 'approvals has no field page'],
  [{ approvals: { waitMs: 600_001 } }, 'approvals.waitMs must be a whole number'],
  [{ approvals: { waitMs: 0.5 } }, 'approvals.waitMs must be a whole number'],
  [{ approvals: { url: 'http://id.example/' } }, 'approvals.url must be an https address'],
  [{ approvals: { url: 'https://ann@id.example/' } }, 'approvals.url must be an https address'],
  [{ approvals: { url: '/approvals/' } }, 'approvals.url must be an https address'],
])('refuses %j', (options, problem) => {
  const verifier = {
    verify: async () => expect.fail('asked'),
    approvals: { get: async () => expect.fail('asked') },
  };
  expect(() =>
    createToolGuard({ verifier, agentId: 'did:web:a.example:agents:a', ...options } as never),
  ).toThrow(problem);
});

test('refuses a verifier without approvals, and gives no page where the function has none', async () => {
  const verify = async () => expect.fail('asked');
  const agentId = 'did:web:a.example:agents:a';
  expect(() => createToolGuard({ verifier: { verify }, agentId, approvals: {} })).toThrow('approvals.get');
  const { open } = await openDesk();
  const bad = [() => 'javascript:alert(1)', () => 'http://id.example/', () => expect.fail('no page')];
  for (const url of bad)
    expect(await open({ approvals: { url } }).approvalFor?.(CALL)).not.toHaveProperty('url');
  const own = await open({ approvals: { url: (id) => `http://127.0.0.1:3000/${id}` } }).approvalFor?.(CALL);
  expect(own?.url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/apr_/);
});
