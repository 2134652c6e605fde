/** Reads the text format of Prometheus as a third party does. */
import { createRequire } from 'node:module';

type Labels = Readonly<Record<string, string>>;

/** A family as the parser gives it. */
export interface PrometheusFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly metrics: readonly {
    readonly labels?: Labels;
    readonly value?: string;
    readonly buckets?: Labels;
    readonly count?: string;
    readonly sum?: string;
  }[];
}

/** The package has no types. */
const parse: (text: string) => readonly PrometheusFamily[] = createRequire(import.meta.url)(
  'parse-prometheus-text-format',
);

/** The families of a text. */
export function readPrometheus(text: string): readonly PrometheusFamily[] {
  return parse(text);
}
