import type { Attributes, Meter } from '@opentelemetry/api';
import type { IdentityServiceOptions, VerdictRecord } from '../../src/index.ts';

/** The hooks that count verdicts and errors, for the options of `createIdentityService`. */
export type MeterHooks = Required<Pick<IdentityServiceOptions, 'onVerdict' | 'onError'>>;

/** The upper bounds of the histogram buckets, in seconds. */
const BOUNDARIES = [
  ...[1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4],
  ...[1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1, 0.25, 0.5, 1],
];

const MAX_NAMES = 64;

/**
 * Creates hooks that count verdicts, their durations, the reasons of denials, and errors. No attribute names an agent,
 * a key or an action.
 */
export function metered(meter: Meter): MeterHooks {
  const verdicts = meter.createCounter('agent_identity.verdicts', {
    unit: '{verdict}',
    description: 'Verdicts that were answered.',
  });
  const duration = meter.createHistogram('agent_identity.verdict.duration', {
    unit: 's',
    description: 'Time from the question to the verdict.',
    advice: { explicitBucketBoundaries: [...BOUNDARIES] },
  });
  const reasons = meter.createCounter('agent_identity.reasons', {
    unit: '{reason}',
    description: 'Reasons of denials.',
  });
  const errors = meter.createCounter('agent_identity.errors', {
    unit: '{error}',
    description: 'Errors that kept a verdict from being answered.',
  });
  const attributesOf = rememberedAttributes();
  const reasonOf = boundedAttribute('agent_identity.reason.code');
  const errorOf = boundedAttribute('error.type');
  return {
    onVerdict(record, { latencyUs }) {
      const { asked, verdict } = attributesOf(record);
      verdicts.add(1, asked);
      duration.record(latencyUs / 1e6, verdict);
      for (const { code } of record.reasons) reasons.add(1, reasonOf(code));
    },
    onError: (error) => errors.add(1, errorOf(errorTypeOf(error))),
  };
}

function rememberedAttributes() {
  const knownMap = new Map<string, { readonly asked: Attributes; readonly verdict: Attributes }>();
  return ({ verdict, environment, dry_run }: VerdictRecord) => {
    const name = `${verdict} ${environment} ${dry_run}`;
    const previous = knownMap.get(name);
    if (previous !== undefined) return previous;
    const result = {
      asked: {
        'agent_identity.verdict': verdict,
        'agent_identity.environment': environment,
        'agent_identity.dry_run': dry_run,
      },
      verdict: { 'agent_identity.verdict': verdict },
    };
    knownMap.set(name, result);
    return result;
  };
}

function boundedAttribute(attribute: string): (name: string) => Attributes {
  const attributes = new Map<string, Attributes>();
  const otherAttribute = { [attribute]: '_OTHER' };
  return (name) => {
    const attributesBefore = attributes.get(name);
    if (attributesBefore !== undefined) return attributesBefore;
    if (attributes.size >= MAX_NAMES) return otherAttribute;
    const result = { [attribute]: name };
    attributes.set(name, result);
    return result;
  };
}

/** Returns the `error.type` of an error: its code for an `IdentityError`, otherwise the name of its class. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as { readonly code?: unknown };
  return error.name === 'IdentityError' && typeof code === 'string' ? code : error.name;
}
