import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { expect, test } from 'vitest';
import { metered } from '../../adapters/otel/index.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { recordOf } from '../journal-format/records.ts';
import { sized } from '../support/runs.ts';
import { openLocalService } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';

/** What an SDK has counted. */
function openMeter() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  return {
    meter: provider.getMeter('test'),
    async read() {
      await provider.forceFlush();
      const [last] = exporter.getMetrics().slice(-1);
      return Object.fromEntries(
        (last?.scopeMetrics ?? []).flatMap(({ metrics }) =>
          metrics.map(({ descriptor, dataPoints }) => [descriptor.name, { descriptor, dataPoints }] as const),
        ),
      );
    },
  };
}

/** The values of a counter, each under its attributes as text. */
function valuesOf(metric: { readonly dataPoints: readonly unknown[] } | undefined): object {
  const points = (metric?.dataPoints ?? []) as readonly {
    readonly attributes: object;
    readonly value: number;
  }[];
  return Object.fromEntries(
    points.map(({ attributes, value }) => [Object.values(attributes).join(' '), value]),
  );
}

test('an SDK counts verdicts, durations, reasons and errors', async () => {
  const { meter, read } = openMeter();
  const storage = probe();
  const { service } = openLocalService({ storage, ...metered(meter) });
  const may = { allowed_actions: ['orders.*'], monetary_limit_per_txn: 0 };
  const { agent_id } = await service.passports.create({ domain: 'example.com', agent_name: 'a', ...may });
  await service.verify({ agent_id, action: 'orders.list' });
  await service.verify({ agent_id, action: 'fly', dry_run: true });
  await service.verify({ agent_id: 'none', action: 'fly' });
  storage.fail = () => Promise.reject(new Error('down'));
  await expect(service.verify({ agent_id: 'other', action: 'fly' })).rejects.toThrow();
  storage.fail = undefined;
  const metrics = await read();
  expect(valuesOf(metrics['agent_identity.verdicts'])).toEqual({
    'ALLOW live false': 1,
    'DENY live true': 1,
    'DENY live false': 1,
  });
  expect(valuesOf(metrics['agent_identity.reasons'])).toEqual({ action_not_allowed: 1, agent_not_found: 1 });
  expect(valuesOf(metrics['agent_identity.errors'])).toEqual({ storage_unavailable: 1 });
  const duration = metrics['agent_identity.verdict.duration'];
  expect(duration?.descriptor.unit).toBe('s');
  const points = duration?.dataPoints as readonly {
    readonly value: { readonly count: number; readonly buckets: { readonly boundaries: readonly number[] } };
  }[];
  expect(points.map(({ value }) => value.count)).toEqual([1, 2]);
  const { boundaries = [] } = points[0]?.value.buckets ?? {};
  expect([boundaries[0], boundaries.at(-1)]).toEqual([1e-6, 1]);
  const units = Object.values(metrics).map(({ descriptor }) => [descriptor.name, descriptor.unit]);
  expect(Object.fromEntries(units)).toMatchObject({ 'agent_identity.verdicts': '{verdict}' });
});

/** A million takes half a minute with the SDK, in which nothing of ours grows. */
const NAMES = sized(1_000_000, 20_000);

test('an SDK keeps few series however many names are made up', async () => {
  const { meter, read } = openMeter();
  const { onVerdict, onError } = metered(meter);
  const plain = recordOf(1, { reasons: [{ code: 'x', message: 'x' }] });
  for (let n = 0; n < NAMES; n += 1) {
    const record: VerdictRecord = {
      ...plain,
      ...{ agent_id: `a${n}`, action: `b${n}`, key_id: `key_${n}` },
      reasons: [{ code: `rule_${n}`, message: 'x' }],
    };
    onVerdict(record, { latencyUs: 1 });
    if (n % 100 === 0) onError(Object.assign(new Error('x'), { name: `Error${n}` }));
  }
  const metrics = await read();
  const sizes = Object.values(metrics).map(({ descriptor, dataPoints }) => [
    descriptor.name,
    dataPoints.length,
  ]);
  expect(Object.fromEntries(sizes)).toEqual({
    'agent_identity.verdicts': 1,
    'agent_identity.verdict.duration': 1,
    'agent_identity.reasons': 65,
    'agent_identity.errors': 65,
  });
  expect(JSON.stringify(Object.values(metrics).map(({ dataPoints }) => dataPoints))).not.toContain('key_');
});
