import type { Attributes, Span, SpanContext, Tracer } from '@opentelemetry/api';
import type { Intent, VerdictRecord } from '../../src/index.ts';
import { knownOptions, type OptionNames } from '../../src/ports/index.ts';
import { errorTypeOf } from './error-type.ts';

/** What gives verdicts: a service, a client, or what `traced` gives back. */
export interface Verifier<Options extends object, Spends = unknown> {
  verify(intent: Intent, options?: Options): Promise<VerdictRecord>;
  /** What was spent or held, which a guard settles. */
  readonly spends?: Spends;
}

/** How verdicts are traced. */
export interface TracedOptions {
  /** Whether the verdicts come over the network; default: whether the verifier is no service of this process. */
  readonly isRemote?: boolean;
}

const OPTIONS: OptionNames<TracedOptions> = { isRemote: true };

/** Members of enums of `@opentelemetry/api`, whose values never change. */
const INTERNAL = 0;
const CLIENT = 2;
const ERROR = 2;
const NO_TRACE = '0'.repeat(32);

/**
 * The same verifier, with a span `agent_identity.verify` around each verdict. A denial is not an error: it is in
 * `agent_identity.verdict` and `agent_identity.reasons`. Where no verdict could be formed the status of the span is ERROR,
 * and `error.type` the code. A service gets the trace id for its record; a client sends it where its option `traceparent`
 * gives that of the active span, as `traceparentOf` spells it. Its `spends` are those of the verifier, without spans.
 */
export function traced<Options extends object, Spends = unknown>(
  verifier: Verifier<Options, Spends>,
  tracer: Tracer,
  options: TracedOptions = {},
): Verifier<Options, Spends> {
  const { isRemote = !('verifyAs' in verifier) } = knownOptions('traced', options, OPTIONS);
  const kind = isRemote ? CLIENT : INTERNAL;
  const { spends } = verifier;
  return {
    ...(spends !== undefined && { spends }),
    verify: (intent, asking) =>
      tracer.startActiveSpan('agent_identity.verify', { kind }, (span) => {
        const context = span.spanContext();
        const asked = isRemote || isOff(context) ? asking : withTrace(asking, context);
        if (!span.isRecording()) {
          span.end();
          return verifier.verify(intent, asked);
        }
        span.setAttributes(questionOf(intent));
        return ended(span, verifier.verify(intent, asked).then(...notedOn(span)));
      }),
  };
}

/** The `traceparent` (W3C Trace Context) of a span; `undefined` for none, and for one of a tracer that is off. */
export function traceparentOf(span: Span | undefined): string | undefined {
  const context = span?.spanContext();
  if (context === undefined || isOff(context)) return undefined;
  const flags = (context.traceFlags & 0xff).toString(16).padStart(2, '0');
  return `00-${context.traceId}-${context.spanId}-${flags}`;
}

/** Whether it is that of a tracer that makes no traces. */
function isOff({ traceId }: SpanContext): boolean {
  return traceId === NO_TRACE;
}

function ended(span: Span, answer: Promise<VerdictRecord>): Promise<VerdictRecord> {
  return answer.finally(() => span.end());
}

/** Notes a verdict, or the error in its place. */
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

/** The action is an attribute, never in the name of the span: there may be any number of them. */
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

/** The options with the id of the trace. A signal may be made when it is first read: it is not read here. */
function withTrace<Options extends object>(options: Options | undefined, { traceId }: SpanContext): Options {
  const given: { readonly signal?: unknown } = options ?? {};
  const asked = { trace_id: traceId, ...options } as Options;
  if (!('signal' in given)) return asked;
  return Object.defineProperty(asked, 'signal', { get: () => given.signal, enumerable: true });
}
