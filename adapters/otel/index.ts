/** The entry point `./otel`: spans and metrics through the OpenTelemetry API. It imports only the types of this API. */
export type {
  Capability,
  CoreOptions,
  IdentityServiceOptions,
  Intent,
  PermitRequest,
  VerdictRecord,
} from '../../src/index.ts';
export { type MeterHooks, metered } from './metered.ts';
export { type TracedOptions, traced, traceparentOf, type Verifier } from './traced.ts';
