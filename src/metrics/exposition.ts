/** The text format 0.0.4 of Prometheus. */
import type { Histogram } from './histogram.ts';

/** The labels of a sample, with their values. */
export type Labels = Readonly<Record<string, string>>;

/** A value with its labels. */
export type Sample = readonly [labels: Labels, value: number];

/** Returns the lines of a counter or a gauge; empty without samples. */
export function family(
  name: string,
  { type, help }: { readonly type: 'counter' | 'gauge'; readonly help: string },
  samples: readonly Sample[],
): string {
  if (samples.length === 0) return '';
  return head(name, type, help) + samples.map(([labels, value]) => line(name, labels, value)).join('');
}

/** Returns the lines of histograms that differ in their labels; empty without any. */
export function histogramFamily(
  name: string,
  help: string,
  histograms: readonly (readonly [labels: Labels, histogram: Histogram])[],
): string {
  if (histograms.length === 0) return '';
  const lines = histograms.map(([labels, histogram]) => {
    const { upTo, count, sum } = histogram.read();
    const buckets = histogram.bounds.map((bound, place) =>
      line(`${name}_bucket`, { ...labels, le: `${bound}` }, upTo[place] as number),
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
