import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { traced, traceparentOf } from '../../adapters/otel/index.ts';
import { createToolGuard } from '../../src/guard/index.ts';
import { fetchHandler } from '../../src/http/index.ts';
import { createIdentityClient } from '../../src/index.ts';
import { recordOf } from '../journal-format/records.ts';
import { dataOf } from '../support/api.ts';
import { openLocalService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer('test');
const intent = { agent_id: AGENT, action: 'payments.create', parameters: { amount: 5 } };

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});

beforeEach(() => exporter.reset());

async function openTraced() {
  const opened = openLocalService();
  const may = { allowed_actions: ['payments.create'], monetary_limit_per_txn: 10 };
  await opened.service.passports.create({ domain: 'example.com', agent_name: 'shopper', ...may });
  return { ...opened, verifier: traced(opened.service, tracer) };
}

/** The spans that have ended, as an exporter sees them. */
function spans() {
  return exporter.getFinishedSpans().map((span) => {
    const { name, kind, status, attributes, events } = span;
    return { name, kind, status, attributes, events, traceId: span.spanContext().traceId };
  });
}

test('a guard settles what it has spent through a traced verifier', async () => {
  const { service, clock } = openLocalService();
  const { agent_id: agentId } = await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', currency: 'EUR', monetary_limit_per_txn: 10 },
    ...{ allowed_actions: ['pay'], monetary_actions: ['pay'] },
    budgets: [{ window: 'lifetime', limit: 100 }],
  });
  const tools = { pay: { amount: '/amount', currency: 'EUR', hold_seconds: 60 } };
  const guard = createToolGuard({
    ...{ agentId, tools, idempotencyKey: ({ context }) => String(context) },
    verifier: traced(traced(service, tracer), tracer),
  });
  const call = { name: 'pay', args: { amount: 5 }, context: 'order-1' };
  expect(await guard.run(call, () => 'paid')).toBe('paid');
  clock.advance(60_000);
  const [state] = (await service.passports.budgets(agentId)).data;
  expect(state).toMatchObject({ spent: 5, held: 0 });
  const [{ decision_id = '' } = {}] = (await service.verifications.list({})).data;
  await service.spends.release(decision_id);
  await expect(guard.run(call, () => expect.fail('ran'))).rejects.toMatchObject({ code: 'tool_denied' });
});

describe('a span', () => {
  test('is around each verdict, and is that of the record', async () => {
    const { verifier } = await openTraced();
    const record = await verifier.verify(intent);
    expect(spans()).toEqual([
      {
        name: 'agent_identity.verify',
        kind: SpanKind.INTERNAL,
        status: { code: SpanStatusCode.UNSET },
        attributes: {
          'gen_ai.agent.id': AGENT,
          'agent_identity.action': 'payments.create',
          'agent_identity.verdict': 'ALLOW',
          'agent_identity.decision.id': record.decision_id,
          'agent_identity.passport.version': 1,
          'agent_identity.reasons': [],
          'agent_identity.dry_run': false,
          'agent_identity.environment': 'live',
        },
        events: [],
        traceId: record.trace_id,
      },
    ]);
  });

  test('of a denial has its reasons, and is no error', async () => {
    const { verifier } = await openTraced();
    await verifier.verify({ ...intent, parameters: { amount: 11 }, action: 'fly' });
    await verifier.verify({ ...intent, agent_id: 'none', dry_run: true });
    const [denied, unknown] = spans();
    expect(denied?.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(denied?.attributes).toMatchObject({
      'agent_identity.verdict': 'DENY',
      'agent_identity.reasons': ['action_not_allowed', 'amount_over_limit'],
    });
    expect(unknown?.attributes).toMatchObject({
      'agent_identity.reasons': ['agent_not_found'],
      'agent_identity.dry_run': true,
    });
    expect(unknown?.attributes).not.toHaveProperty('agent_identity.passport.version');
  });

  test('without a verdict is an error of our code, which the caller gets', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage });
    const verifier = traced(service, tracer);
    storage.fail = () => Promise.reject(new Error('secret detail'));
    await expect(verifier.verify(intent)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(verifier.verify(undefined as never)).rejects.toMatchObject({ code: 'invalid_request' });
    const strange = { verify: () => Promise.reject('nothing') };
    await expect(traced(strange, tracer).verify(intent)).rejects.toBe('nothing');
    const found = spans();
    expect(found.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual(
      ['storage_unavailable', 'invalid_request', '_OTHER'].map((type) => [
        { code: SpanStatusCode.ERROR },
        type,
      ]),
    );
    expect(JSON.stringify(found)).not.toContain('secret detail');
  });

  test('has one name, whatever the action', async () => {
    const { verifier } = await openTraced();
    for (let n = 0; n < 5; n += 1) await verifier.verify({ ...intent, action: `action-${n}` });
    expect(new Set(spans().map(({ name }) => name))).toEqual(new Set(['agent_identity.verify']));
  });

  test('stands inside that of the tool which a guard protects', async () => {
    const { service } = await openTraced();
    const guard = createToolGuard({
      verifier: traced(service, tracer),
      agentId: AGENT,
      tools: { pay: { action: 'payments.create' } },
    });
    const evaluated = await tracer.startActiveSpan('execute_tool pay', async (span) => {
      const answer = await guard.judge({ name: 'pay', args: {} });
      span.end();
      return answer;
    });
    expect(evaluated.allowed).toBe(true);
    const [verify, tool] = exporter.getFinishedSpans();
    expect([verify?.name, tool?.name]).toEqual(['agent_identity.verify', 'execute_tool pay']);
    expect(verify?.parentSpanContext?.spanId).toBe(tool?.spanContext().spanId);
  });

  test('a signal is passed on, and made no sooner than it is read', async () => {
    let made = 0;
    const options = Object.create({
      get signal() {
        made += 1;
        return AbortSignal.abort('gone');
      },
    });
    const seen: unknown[] = [];
    const watched = {
      verify: async (_: unknown, asked?: { readonly signal?: AbortSignal }) => {
        expect(made).toBe(0);
        seen.push(asked?.signal?.aborted);
        return recordOf(1);
      },
    };
    const verifier = traced(watched, tracer, { isRemote: false });
    await verifier.verify(intent, options);
    expect([seen, made]).toEqual([[true], 1]);
  });
});

describe('a trace over the network', () => {
  test('is that of the span of the client, the record of the service, and its line of a failure', async () => {
    const storage = probe();
    const { opened, api, key, token } = await openVerdictStage({}, { storage });
    const handle = fetchHandler(opened.service);
    const client = createIdentityClient({
      baseUrl: 'http://id.example.com/api',
      apiKey: key,
      traceparent: () => traceparentOf(trace.getActiveSpan()),
      fetch: (url, init) => handle(new Request(url, init)),
    });
    const verifier = traced(client, tracer);
    const record = await verifier.verify(intent);
    storage.fail = () => Promise.reject(new Error('down'));
    await expect(verifier.verify({ ...intent, agent_id: `${AGENT}x` })).rejects.toThrow();
    storage.fail = undefined;
    const [allowed, failed] = spans();
    expect([allowed?.kind, failed?.kind]).toEqual([SpanKind.CLIENT, SpanKind.CLIENT]);
    expect(record.trace_id).toBe(allowed?.traceId);
    const filed = dataOf(await api.ask('GET', '/verifications', { token }));
    expect(filed[0]?.['trace_id']).toBe(allowed?.traceId);
    const line = opened.logs.find(({ event }) => event === 'request_failed');
    expect(line).toMatchObject({ trace_id: failed?.traceId });
    expect(failed?.traceId).not.toBe(allowed?.traceId);
  });
});

describe('without an SDK', () => {
  test('a verdict is what it is without tracing', async () => {
    const { service } = await openTraced();
    const noop = trace.getTracer('none');
    const record = await traced(service, noop).verify(intent);
    expect(record).toMatchObject({ verdict: 'ALLOW', trace_id: null });
    expect(traceparentOf(undefined)).toBeUndefined();
    expect(noop.startActiveSpan('none', (span) => traceparentOf(span))).toBeUndefined();
    expect(propagation.fields()).toEqual([]);
  });

  test('a span that is not recorded gives its trace all the same', async () => {
    const { service } = await openTraced();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const remote = { traceId, spanId: '00f067aa0ba902b7', traceFlags: 0, isRemote: true };
    const outer = trace.setSpanContext(context.active(), remote);
    const record = await context.with(outer, () => traced(service, trace.getTracer('none')).verify(intent));
    expect(record.trace_id).toBe(traceId);
  });

  test('keeps a trace that the application names', async () => {
    const { verifier } = await openTraced();
    const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
    expect(await verifier.verify(intent, { trace_id })).toMatchObject({ trace_id });
  });
});
