/** Writes the text format 0.0.4 of Prometheus. */
import type { StorageEvent } from '../ports/storage-events.ts';

export type Labels = Readonly<Record<string, string>>;

export type Sample = readonly [labels: Labels, value: number];

export function family(
  name: string,
  { type, help }: { readonly type: 'counter' | 'gauge'; readonly help: string },
  samples: readonly Sample[],
): string {
  if (samples.length === 0) return '';
  return head(name, type, help) + samples.map(([labels, value]) => line(name, labels, value)).join('');
}

export function histogramFamily(
  name: string,
  help: string,
  histograms: readonly (readonly [labels: Labels, histogram: Histogram])[],
): string {
  if (histograms.length === 0) return '';
  const lines = histograms.map(([labels, histogram]) => {
    const { upTo, count, sum } = histogram.read();
    const buckets = histogram.bounds.map((limit, place) =>
      line(`${name}_bucket`, { ...labels, le: `${limit}` }, upTo[place] as number),
    );
    return [
      ...buckets,
      line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
      line(`${name}_sum`, labels, sum),
      line(`${name}_count`, labels, count),
    ].join('');
  });
  return head(name, 'histogram', help) + lines.join('');
}

function head(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

const SECONDS: readonly number[] = [
  ...[1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4],
  ...[1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1, 0.25, 0.5, 1],
];

export interface Histogram {
  readonly bounds: readonly number[];
  observe(value: number): void;
  /** Returns the number of values up to each upper limit, in order, then the number and the sum of all values. */
  read(): { readonly upTo: readonly number[]; readonly count: number; readonly sum: number };
}

export function createHistogram(bounds: readonly number[] = SECONDS): Histogram {
  const counts = new Float64Array(bounds.length + 1);
  // An array of one element: a variable of the closure would allocate a number with every value.
  const sum = new Float64Array(1);
  return {
    bounds,
    observe(value) {
      let bucket = 0;
      while (bucket < bounds.length && !(value <= (bounds[bucket] as number))) bucket += 1;
      counts[bucket] = (counts[bucket] as number) + 1;
      if (value >= 0) sum[0] = (sum[0] as number) + value;
    },
    read() {
      let count = 0;
      const upTo = bounds.map((_, bucket) => {
        count += counts[bucket] as number;
        return count;
      });
      return { upTo, count: count + (counts[bounds.length] as number), sum: sum[0] as number };
    },
  };
}

interface StorageCounts {
  readonly count: (event: StorageEvent) => void;
  families(): readonly string[];
}

/** The bucket limits for the number of calls that are sent together, which is at most 64. */
const TOGETHER: readonly number[] = [1, 2, 4, 8, 16, 32, 64];

export function createStorageCounts(): StorageCounts {
  const histograms = { get: createHistogram(TOGETHER), write: createHistogram(TOGETHER) };
  let primaryChanges = 0;
  let unconfirmedCount = 0;
  return {
    count(event) {
      if (event.type === 'primary_changed') primaryChanges += 1;
      else if (event.type === 'unconfirmed') unconfirmedCount += 1;
      else if (event.type === 'joined') histograms[event.kind].observe(event.count);
    },
    families: () => [
      family(
        'agent_identity_storage_primary_changes_total',
        { type: 'counter', help: 'Changes to another server of the storage, or to one that has restarted.' },
        [[{}, primaryChanges]],
      ),
      family(
        'agent_identity_storage_unconfirmed_total',
        { type: 'counter', help: 'Calls that rejected because too few replicas had their write.' },
        [[{}, unconfirmedCount]],
      ),
      histogramFamily(
        'agent_identity_storage_joined',
        'Calls that had waited and went to the store together.',
        Object.entries(histograms).map(([kind, histogram]) => [{ kind }, histogram] as const),
      ),
    ],
  };
}
