/** Translates an AuthZEN evaluation into the intent that it asks about. */
import type { Authzen, AuthzenEvaluation } from '../../base/authzen.ts';
import { compareAmounts, readAmount } from '../../base/values/money.ts';
import { isSameJson } from '../../base/values/same-json.ts';
import { type IdentityError, invalidRequest } from '../../errors.ts';
import type { Intent } from '../../records.ts';
import { withBoundedProof } from '../read-proof.ts';
import { type GivenMembers, wrongType } from './read-evaluation.ts';

/** The fields of an intent that `context.agent_identity` may set. */
const OWN_FIELDS = ['proof', 'hold_seconds', 'approval_id', 'subject', 'permit'] as const;

/**
 * Returns the intent. Throws `invalid_request` if two parts of the evaluation name different amounts or currencies, or if
 * the evaluation and the host name different subjects.
 */
export function toIntent(evaluation: AuthzenEvaluation, { agentIdOf, subjectOf }: Authzen): Intent {
  const { subject, action, resource, context } = evaluation;
  const { agent_identity, ...rest } = context ?? {};
  const amount = onlyOne(evaluation, 'amount', isSameAmount);
  const currency = onlyOne(evaluation, 'currency', isSameJson);
  const intent = {
    agent_id: agentIdOf(evaluation),
    action: action.name,
    ...(resource.id.startsWith('did:') && { target: resource.id }),
    parameters: {
      ...(amount !== undefined && { amount }),
      ...(currency !== undefined && { currency }),
      subject: flat(subject),
      resource: flat(resource),
      ...(action.properties !== undefined && { properties: action.properties }),
      // Omits an empty context: the repeated evaluation, whose context named only the approval, must equal the
      // approved one, which may have had no context.
      ...(Object.keys(rest).length > 0 && { context: rest }),
    },
  };
  const own = agent_identity === undefined ? {} : ownFields(agent_identity);
  const hosts = subjectOf(evaluation);
  if (hosts !== undefined) {
    const { subject: named = hosts } = own;
    if (named !== hosts) throw otherSubject();
    own['subject'] = hosts;
  }
  return withBoundedProof({ ...intent, ...own }) as Intent;
}

/** Puts `type` and `id` last, so that no property of the same name replaces them. */
function flat({ type, id, properties }: AuthzenEvaluation['resource']): GivenMembers {
  return { ...properties, type, id };
}

function ownFields(given: unknown): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw invalidRequest([wrongType('/context/agent_identity', 'a JSON object')]);
  }
  const own: Record<string, unknown> = {};
  for (const name of OWN_FIELDS) {
    const value = (given as GivenMembers)[name];
    if (value !== undefined) own[name] = value;
  }
  return own;
}

function otherSubject(): IdentityError {
  const message = 'The agent acts for another subject.';
  return invalidRequest([{ path: '/context/agent_identity/subject', code: 'conflict', message }]);
}

/** Returns the value that the action's properties, the resource's properties and the context agree on. */
function onlyOne(
  { action, resource, context }: AuthzenEvaluation,
  name: 'amount' | 'currency',
  isSame: (one: unknown, other: unknown) => boolean,
): unknown {
  const [first, ...others] = [action.properties?.[name], resource.properties?.[name], context?.[name]].filter(
    (value) => value !== undefined,
  );
  if (others.every((other) => isSame(first, other))) return first;
  const message = `The ${name} is named in two places, with different values.`;
  throw invalidRequest([{ path: `/action/properties/${name}`, code: 'conflict', message }]);
}

/** Compares two amounts by their value: 10 and "10.00" are the same. Other values must be equal as JSON. */
function isSameAmount(one: unknown, other: unknown): boolean {
  const a = readAmount(one);
  const b = readAmount(other);
  return a !== null && b !== null ? compareAmounts(a, b) === 0 : isSameJson(one, other);
}
