import type { Attributes, Span, SpanContext, Tracer } from '@opentelemetry/api';
import type { Intent, VerdictRecord } from '../../src/index.ts';
import { knownOptions, type OptionNames } from '../../src/ports/index.ts';
import { errorTypeOf } from './metered.ts';

/** An object that returns verdicts: a service, a client, or the result of `traced`. */
export interface Verifier<Options extends object, Spends = unknown, Outcomes = unknown> {
  /**
   * Returns the verdict on an intent.
   *
   * @throws {IdentityError} The error of the verifier, which the span then names.
   */
  verify(intent: Intent, options?: Options): Promise<VerdictRecord>;
  /**
   * The methods for spends, which are the amounts that an ALLOW takes from budgets. A guard commits or releases spends.
   */
  readonly spends?: Spends;
  /** The receiver to which a guard reports outcomes. */
  readonly outcomes?: Outcomes;
}

/** Options of `traced`. */
export interface TracedOptions {
  /** `true` if the verdicts come over the network. Default: `false` for a service in this process, otherwise `true`. */
  readonly isRemote?: boolean;
}

const OPTIONS: OptionNames<TracedOptions> = { isRemote: true };

/** Enum values of `@opentelemetry/api`, which never change. They are copied because only the types are imported. */
const INTERNAL = 0;
const CLIENT = 2;
const ERROR = 2;
const NO_TRACE = '0'.repeat(32);

/**
 * Creates a verifier that records a span `agent_identity.verify` for each verdict.
 *
 * The attributes `agent_identity.verdict` and `agent_identity.reasons` contain the verdict. A DENY is not an error.
 * Without a verdict, the status of the span is ERROR, and `error.type` is the code. A service stores the trace id in
 * its record. A client sends the trace id if its option `traceparent` returns the value that `traceparentOf` formats
 * from the active span. The verifier's `spends` and `outcomes` get no spans.
 *
 * @throws {IdentityError} `invalid_configuration` for an unknown option.
 */
export function traced<Options extends object, Spends = unknown, Outcomes = unknown>(
  verifier: Verifier<Options, Spends, Outcomes>,
  tracer: Tracer,
  options: TracedOptions = {},
): Verifier<Options, Spends, Outcomes> {
  const { isRemote = !('verifyAs' in verifier) } = knownOptions('traced', options, OPTIONS);
  const kind = isRemote ? CLIENT : INTERNAL;
  const { spends, outcomes } = verifier;
  return {
    ...(spends !== undefined && { spends }),
    ...(outcomes !== undefined && { outcomes }),
    verify: (intent, asking) =>
      tracer.startActiveSpan('agent_identity.verify', { kind }, (span) => {
        const context = span.spanContext();
        const askedOptions = isRemote || isOff(context) ? asking : withTrace(asking, context);
        if (!span.isRecording()) {
          span.end();
          return verifier.verify(intent, askedOptions);
        }
        span.setAttributes(questionOf(intent));
        return ended(span, verifier.verify(intent, askedOptions).then(...notedOn(span)));
      }),
  };
}

/**
 * Formats the `traceparent` (W3C Trace Context) of a span. Returns `undefined` without a span, or if its tracer is off.
 */
export function traceparentOf(span: Span | undefined): string | undefined {
  const context = span?.spanContext();
  if (context === undefined || isOff(context)) return undefined;
  const flags = (context.traceFlags & 0xff).toString(16).padStart(2, '0');
  return `00-${context.traceId}-${context.spanId}-${flags}`;
}

function isOff({ traceId }: SpanContext): boolean {
  return traceId === NO_TRACE;
}

function ended(span: Span, answer: Promise<VerdictRecord>): Promise<VerdictRecord> {
  return answer.finally(() => span.end());
}

function notedOn(span: Span) {
  return [
    (record: VerdictRecord): VerdictRecord => {
      span.setAttributes(answerOf(record));
      return record;
    },
    (error: unknown): never => {
      span.setAttribute('error.type', errorTypeOf(error));
      span.setStatus({ code: ERROR });
      throw error;
    },
  ] as const;
}

/**
 * Returns the attributes of an intent. The name of the span does not contain the action, because the number of actions
 * is unlimited.
 */
function questionOf(intent: Intent): Attributes {
  const { agent_id, action }: Partial<Intent> = Object(intent);
  return {
    ...(typeof agent_id === 'string' && { 'gen_ai.agent.id': agent_id }),
    ...(typeof action === 'string' && { 'agent_identity.action': action }),
  };
}

function answerOf(record: VerdictRecord): Attributes {
  const { verdict, decision_id, passport_version, reasons, dry_run, environment } = record;
  return {
    'agent_identity.verdict': verdict,
    'agent_identity.decision.id': decision_id,
    ...(passport_version !== null && { 'agent_identity.passport.version': passport_version }),
    'agent_identity.reasons': reasons.map(({ code }) => code),
    'agent_identity.dry_run': dry_run,
    'agent_identity.environment': environment,
  };
}

/** Adds the trace id to the options. A getter `signal` stays a getter, because reading it may be expensive. */
function withTrace<Options extends object>(options: Options | undefined, { traceId }: SpanContext): Options {
  const callOptions: { readonly signal?: unknown } = options ?? {};
  const askedOptions = { trace_id: traceId, ...options } as Options;
  if (!('signal' in callOptions)) return askedOptions;
  return Object.defineProperty(askedOptions, 'signal', { get: () => callOptions.signal, enumerable: true });
}
