/** The door `./otel`: spans and metrics through the API of OpenTelemetry, of which only types are used. */
export type { IdentityServiceOptions, Intent, VerdictRecord } from '../../src/index.ts';
export { type MeterHooks, metered } from './metered.ts';
export { type TracedOptions, traced, traceparentOf, type Verifier } from './traced.ts';
