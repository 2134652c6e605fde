import { describe, expect, test, vi } from 'vitest';
import { createOutcomeReports } from '../../src/base/async/outcome-reports.ts';
import { createIdentityClient } from '../../src/client.ts';
import type { IdentityService } from '../../src/core.ts';
import { IdentityError } from '../../src/errors.ts';
import { createToolGuard, type ToolGuardOptions, type Verifier } from '../../src/guard/index.ts';
import { fetchHandler } from '../../src/http/index.ts';
import type { OutcomeInput } from '../../src/records/outcome.ts';
import { eventually } from '../support/eventually.ts';
import { openLocalService } from '../support/service.ts';

const ACTIONS = ['mail.send'];

async function openStage(options: Partial<ToolGuardOptions> = {}, wrap = (service: Verifier) => service) {
  const { service } = openLocalService();
  const { agent_id: agentId } = await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'writer', allowed_actions: ACTIONS },
    monetary_limit_per_txn: 0,
  });
  const tools = { send: { action: 'mail.send' }, pay: { action: 'payments.create' } };
  const guard = createToolGuard({ verifier: wrap(service), agentId, tools, ...options });
  return { service, guard, agentId };
}

/** The outcomes of all verdicts once those of real runs are reported. */
async function outcomesOf(service: IdentityService, count: number) {
  const read = async () => {
    const { data } = await service.verifications.list({ limit: 100 });
    const reported = data.flatMap(({ outcome }) => (outcome === null ? [] : [outcome.outcome]));
    if (reported.length < count) throw new Error('Not yet.');
    return data.map(({ verdict, outcome }) => [verdict, outcome?.outcome ?? null]);
  };
  // A client collects its reports before it sends them.
  return eventually(read);
}

const CALL = { name: 'send', args: {} };

describe('a guard reports of each run one outcome', () => {
  test('succeeded where the tool returned, failed where it threw, and nothing of a DENY', async () => {
    const { service, guard } = await openStage();
    expect(await guard.run(CALL, () => 'sent')).toBe('sent');
    await expect(guard.run(CALL, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(guard.run({ name: 'pay', args: {} }, () => 1)).rejects.toMatchObject({
      code: 'tool_denied',
    });
    expect((await outcomesOf(service, 2)).sort()).toEqual([
      ['ALLOW', 'failed'],
      ['ALLOW', 'succeeded'],
      ['DENY', null],
    ]);
  });

  test('not_attempted for an allowed call that was aborted, unknown where nothing says how it ended', async () => {
    const { service, guard } = await openStage();
    const run = await guard.begin(CALL);
    run.failed('unknown');
    await run.done();
    await (await guard.begin(CALL)).undo();
    expect((await outcomesOf(service, 2)).map(([, outcome]) => outcome).sort()).toEqual([
      'not_attempted',
      'unknown',
    ]);
  });

  test('nothing in observe, for tools in unjudged, and with outcomes: false', async () => {
    for (const options of [{ mode: 'observe' }, { unjudged: ['read'] }, { outcomes: false }] as const) {
      const reported: OutcomeInput[][] = [];
      const { guard } = await openStage(options, (service) => ({
        verify: (intent, asked) => service.verify(intent, asked),
        outcomes: { report: async (list) => reported.push([...list]) },
      }));
      await guard.run({ name: 'unjudged' in options ? 'read' : 'send', args: {} }, () => 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(reported).toEqual([]);
    }
  });

  test('nothing of a single callback with outcomes: false, in process and by a client', async () => {
    const { service, agentId } = await openStage();
    const intent = { agent_id: agentId, action: 'mail.send' };
    const { key: apiKey } = await service.keys.create({ name: 'mailer' });
    const fetch = async (...request: ConstructorParameters<typeof Request>) =>
      fetchHandler(service)(new Request(...request));
    const client = createIdentityClient({ baseUrl: 'https://id.example.com/api', apiKey, fetch });
    await service.guard(intent, () => 1, { outcomes: false });
    await client.guard(intent, () => 1, { outcomes: false });
    await service.guard(intent, () => 1);
    await client.guard(intent, () => 1);
    expect((await outcomesOf(service, 2)).map(([, outcome]) => outcome)).toEqual([
      ...['succeeded', 'succeeded'],
      ...[null, null],
    ]);
  });

  test('through service.guard, and never for an error before the callback', async () => {
    const { service, agentId } = await openStage();
    const intent = { agent_id: agentId, action: 'mail.send' };
    await service.guard(intent, () => 1);
    await expect(service.guard(intent, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(service.guard({ ...intent, action: 'x' }, () => 1)).rejects.toThrow();
    expect((await outcomesOf(service, 2)).map(([, outcome]) => outcome).sort()).toEqual([
      'failed',
      null,
      'succeeded',
    ]);
  });
});

describe('a receiver that is', () => {
  const results = {
    dead: () => Promise.reject(new IdentityError('service_unreachable', 'dead')),
    older: () => Promise.reject(new IdentityError('not_found', 'no such endpoint')),
    slow: () => new Promise<never>(() => undefined),
    broken: () => {
      throw new Error('broken');
    },
  } as const;
  for (const [name, report] of Object.entries(results)) {
    test(`${name} changes no run of a tool`, async () => {
      const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      const { guard } = await openStage({}, (service) => ({
        verify: (intent, asked) => service.verify(intent, asked),
        outcomes: { report },
      }));
      let ran = 0;
      for (let count = 0; count < 5; count += 1) {
        expect(await guard.run(CALL, () => (ran += 1))).toBe(count + 1);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      expect(ran).toBe(5);
      expect(warned.mock.calls.length).toBe(name === 'slow' ? 0 : 1);
      warned.mockRestore();
    });
  }
});

describe('reports', () => {
  const record = (count: number) =>
    ({
      ...{ verdict: 'ALLOW', dry_run: false, decision_id: `dec_${count}`, agent_id: 'a' },
      evaluated_at: '2026-11-20T12:00:00.000Z',
    }) as Parameters<ReturnType<typeof createOutcomeReports>>[0];

  test('are collected, sent by 100, kept while the receiver is down, and never more than 1,000', async () => {
    vi.useFakeTimers();
    try {
      const sent: string[][] = [];
      const warnings: string[] = [];
      let isDown = true;
      const report = async (list: readonly OutcomeInput[]) => {
        if (isDown) throw new IdentityError('service_unreachable', 'down');
        sent.push(list.map(({ decision_id }) => decision_id));
      };
      const reportsOn = createOutcomeReports({ report, collectMs: 1_000 }, (text) => warnings.push(text));
      for (let count = 0; count < 1_100; count += 1) reportsOn(record(count))('succeeded');
      await vi.advanceTimersByTimeAsync(5_000);
      isDown = false;
      await vi.advanceTimersByTimeAsync(120_000);
      expect(sent.map((list) => list.length)).toEqual(Array.from({ length: 10 }, () => 100));
      expect(sent.flat()).toEqual(Array.from({ length: 1_000 }, (_, count) => `dec_${count}`));
      expect(warnings.length).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('end at a service of before them', async () => {
    vi.useFakeTimers();
    try {
      let asked = 0;
      const report = async () => {
        asked += 1;
        throw new IdentityError('not_found', 'no such endpoint');
      };
      const reportsOn = createOutcomeReports({ report, collectMs: 1_000 }, () => undefined);
      for (let count = 0; count < 10; count += 1) {
        reportsOn(record(count))('succeeded');
        await vi.advanceTimersByTimeAsync(10_000);
      }
      expect(asked).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });
});
