import { describe, expect, test } from 'vitest';
import { createMetrics, type Metrics } from '../../src/metrics/index.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { defaultRules, type Rule } from '../../src/verdict/index.ts';
import { recordOf } from '../journal-format/records.ts';
import { HEADS } from '../support/heads.ts';
import { type PrometheusFamily, readPrometheus } from '../support/prometheus.ts';
import { openLocalService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';
import { openVerdictStage } from '../support/verdict-stage.ts';

/** The families of the text by their names, as a third party reads them. */
function read(metrics: Metrics): Readonly<Record<string, PrometheusFamily>> {
  const families = readPrometheus(metrics.text());
  return Object.fromEntries(families.map((family) => [family.name.replace('agent_identity_', ''), family]));
}

/** The values of a family, each under its labels as text. */
function valuesOf(metrics: Metrics, name: string): Readonly<Record<string, number>> {
  const { metrics: samples = [] } = read(metrics)[name] ?? {};
  return Object.fromEntries(
    samples.map(({ labels = {}, value }) => [Object.values(labels).join(' '), Number(value)]),
  );
}

const LATENCY = { latencyUs: 3 };
const DENIED = recordOf(1, { reasons: [{ code: 'x', message: 'x' }] });
const denied = (code: string): VerdictRecord => ({ ...DENIED, reasons: [{ code, message: 'x' }] });

describe('the text', () => {
  test('has every family of the contract, with its type, for a service that is asked', async () => {
    const metrics = createMetrics();
    const { api, key, verify } = await openVerdictStage({}, { metrics });
    await verify({});
    await verify({ action: 'fly' });
    await verify({ dry_run: true });
    await api.ask('GET', '/keys', { key });
    await api.ask('GET', '/verify');
    const types = Object.fromEntries(Object.values(read(metrics)).map(({ name, type }) => [name, type]));
    expect(types).toEqual({
      agent_identity_verdicts_total: 'COUNTER',
      agent_identity_reasons_total: 'COUNTER',
      agent_identity_verdict_duration_seconds: 'HISTOGRAM',
      agent_identity_http_requests_total: 'COUNTER',
      agent_identity_journal_queue: 'GAUGE',
      agent_identity_journal_dropped_total: 'COUNTER',
      agent_identity_cache_hits_total: 'COUNTER',
      agent_identity_cache_misses_total: 'COUNTER',
      agent_identity_storage_up: 'GAUGE',
      agent_identity_storage_duration_seconds: 'HISTOGRAM',
      agent_identity_storage_primary_changes_total: 'COUNTER',
      agent_identity_storage_unconfirmed_total: 'COUNTER',
      agent_identity_storage_joined: 'HISTOGRAM',
      agent_identity_build_info: 'GAUGE',
    });
    expect(valuesOf(metrics, 'verdicts_total')).toMatchObject({
      'ALLOW live false': 1,
      'ALLOW live true': 1,
      'DENY live false': 1,
      'DENY test true': 0,
    });
    expect(valuesOf(metrics, 'reasons_total')).toEqual({ action_not_allowed: 1 });
    expect(valuesOf(metrics, 'http_requests_total')).toMatchObject({
      '/verify 200': 3,
      '/keys 401': 1,
      'other_methods 405': 1,
      '/passports 201': 1,
    });
    expect(valuesOf(metrics, 'journal_queue')).toEqual({ '': 3 });
    expect(valuesOf(metrics, 'storage_up')).toEqual({ '': 1 });
    expect(valuesOf(metrics, 'cache_hits_total')).toMatchObject({ passports: 2 });
    expect(valuesOf(metrics, 'cache_misses_total')).toMatchObject({ passports: 1 });
    expect(metrics.contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(metrics.text()).toMatch(
      /^(?:# (?:HELP|TYPE) .+\n|[a-z_]+(?:\{[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*\})? [\d.e+-]+\n)+$/,
    );
  });

  test('counts durations in the bucket of each', () => {
    const metrics = createMetrics();
    for (const latencyUs of [0, 1, 1.1, 40, 1_000_000, 2_000_000, Number.NaN]) {
      metrics.onVerdict(recordOf(1), { latencyUs });
    }
    const [histogram] = read(metrics)['verdict_duration_seconds']?.metrics ?? [];
    expect(histogram?.buckets).toMatchObject({
      '0.000001': '2',
      '0.0000025': '3',
      '0.00005': '4',
      '0.5': '4',
      '1': '5',
      '+Inf': '7',
    });
    expect([histogram?.count, Number(histogram?.sum)]).toEqual(['7', expect.closeTo(3.0000421, 6)]);
  });

  test('stays small under a million names that are made up, and knows our own codes even then', () => {
    const metrics = createMetrics();
    for (let n = 0; n < 1_000_000; n += 1) {
      const name = `rule_${n}`;
      metrics.onVerdict(denied(name), LATENCY);
      if (n % 100 > 0) continue;
      metrics.onError(Object.assign(new Error(name), { name }));
      metrics.onRequest(`/${name}`, 200);
      metrics.onStorage(name, 0.001);
    }
    for (const { code } of HEADS) metrics.onVerdict(denied(code), LATENCY);
    const reasons = valuesOf(metrics, 'reasons_total');
    expect(Object.keys(reasons)).toHaveLength(65);
    for (const { code } of HEADS) expect([code, reasons[code]]).toEqual([code, 1]);
    expect(reasons['other']).toBe(1_000_000 - (64 - HEADS.length));
    expect(valuesOf(metrics, 'errors_total')).toEqual({ unknown: 10_000 });
    const requests = valuesOf(metrics, 'http_requests_total');
    expect(Object.keys(requests)).toHaveLength(1_001);
    expect(requests['other other']).toBe(9_000);
    expect(metrics.text().match(/^agent_identity_storage_duration_seconds_count/gm)).toHaveLength(16);
    expect(metrics.text().length).toBeLessThan(200_000);
  });

  test('names no agent, key or action', async () => {
    const metrics = createMetrics();
    const { key_id, verify } = await openVerdictStage({}, { metrics });
    await verify({ action: 'secret.action', target: 'did:web:hidden.example' });
    expect(metrics.text()).not.toMatch(new RegExp(`shopper|secret|hidden|${key_id}`));
  });
});

describe('the counts', () => {
  test('of verdicts and errors come by the hooks alone, too', async () => {
    const { onVerdict, onError, ...metrics } = createMetrics();
    const storage = probe();
    const { service } = openLocalService({ storage, onVerdict, onError });
    await service.verify({ agent_id: 'a', action: 'b' });
    storage.fail = () => Promise.reject(new Error('down'));
    await expect(service.verify({ agent_id: 'c', action: 'b' })).rejects.toThrow();
    await expect(service.verify({ agent_id: 7 as never, action: 'b' })).rejects.toThrow();
    const all = { ...metrics, onVerdict, onError };
    expect(valuesOf(all, 'reasons_total')).toEqual({ agent_not_found: 1 });
    expect(valuesOf(all, 'errors_total')).toEqual({ storage_unavailable: 1 });
    expect(Object.keys(read(all))).not.toContain('journal_queue');
  });

  test('report that the storage is down, and up again', async () => {
    const metrics = createMetrics();
    const storage = probe();
    const { service } = openLocalService({ storage, metrics });
    const ask = (agent_id: string) => service.verify({ agent_id, action: 'b' });
    await ask('a');
    storage.fail = () => Promise.reject(new Error('down'));
    await expect(ask('b')).rejects.toThrow();
    expect([valuesOf(metrics, 'storage_up'), valuesOf(metrics, 'errors_total')]).toEqual([
      { '': 0 },
      { storage_unavailable: 1 },
    ]);
    storage.fail = undefined;
    await ask('c');
    expect(valuesOf(metrics, 'storage_up')).toEqual({ '': 1 });
  });

  test('of several services add up, and go on where one of them has ended', async () => {
    const metrics = createMetrics();
    const services = [1, 2].map(() => openLocalService({ metrics }).service);
    for (const service of services) {
      for (let n = 0; n < 3; n += 1) await service.verify({ agent_id: 'a', action: 'b' });
    }
    const misses = { passports: 2, keys: 0, accounts: 0, domains: 0 };
    const hits = { ...misses, passports: 4 };
    for (const queue of [6, 3, 0]) {
      expect(valuesOf(metrics, 'cache_hits_total')).toEqual(hits);
      expect(valuesOf(metrics, 'cache_misses_total')).toEqual(misses);
      expect(valuesOf(metrics, 'journal_queue')).toEqual({ '': queue });
      await services.pop()?.close();
    }
    expect(valuesOf(metrics, 'verdicts_total')).toMatchObject({ 'DENY live false': 6 });
  });

  test('of records that are lost are those of the journal', async () => {
    const metrics = createMetrics();
    const storage = probe();
    const { service } = openLocalService({ storage, metrics });
    await service.verify({ agent_id: 'a', action: 'b' });
    storage.fail = () => Promise.reject(new TypeError('a mistake'));
    await service.close();
    expect(valuesOf(metrics, 'journal_dropped_total')).toEqual({ '': 1 });
  });
});

test('metrics that throw change no verdict and no answer', async () => {
  const fail = (): never => {
    throw new Error('secret detail');
  };
  const broken = { ...createMetrics(), onVerdict: fail, onError: fail, onRequest: fail, onStorage: fail };
  const denying: Rule = ({ action }) => (action === 'fly' ? { code: 'no', message: 'No.' } : null);
  const { opened, verify } = await openVerdictStage(
    {},
    { metrics: broken, rules: [...defaultRules, denying] },
  );
  expect((await verify({})).body['verdict']).toBe('ALLOW');
  const failed = opened.logs.filter(({ event }) => event === 'hook_failed');
  expect(failed).toHaveLength(1);
  expect(JSON.stringify(failed)).not.toContain('secret detail');
});

test('a value that is not metrics is refused', () => {
  for (const metrics of [7, {}, { ...createMetrics(), watch: undefined }]) {
    expect(() => openLocalService({ metrics: metrics as never })).toThrow(/options\.metrics/);
  }
});
