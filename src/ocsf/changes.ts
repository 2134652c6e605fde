/** Converts changes to OCSF: classes 3004 (Entity Management), 3002 (Authentication) and 0 (Base Event). */
import type { Activity, EntityType } from './activities.ts';
import { type EventLike, type OcsfEvent, ocsfHead, PRODUCT, present } from './event.ts';

const [CATEGORY, ENTITY_MANAGEMENT, AUTHENTICATION] = [3, 3004, 3002];
const [INFORMATIONAL, MEDIUM] = [1, 3];
const OTHER = 99;

/** The fields of a change that OCSF does not have. Each is a word, a number or an id. */
const FACTS = [
  ...['environment', 'version', 'change', 'status', 'role', 'plan', 'method', 'replaces', 'received'],
  ...['kind', 'decision_id', 'retry_after_seconds'],
  ...['window', 'warn_at', 'limit', 'count', 'spent', 'held', 'unit'],
];

export function changeEvent(event: EventLike, { entity: type, ...activity }: Activity): OcsfEvent {
  const { data } = event;
  const facts = factsOf(event);
  const isWider = data['change'] === 'wider' || data['change'] === 'crossing';
  const head = headFields(event, ENTITY_MANAGEMENT, isWider ? MEDIUM : INFORMATIONAL);
  return {
    ...ocsfHead({ ...head, category_uid: CATEGORY, ...activity }),
    entity: present({ type_id: OTHER, type, uid: entityId(type, data) }),
    ...actorOf(data['changed_by']),
    ...(Object.keys(facts).length > 0 && { unmapped: facts }),
  };
}

export function signInEvent(event: EventLike): OcsfEvent {
  const { data } = event;
  const head = headFields(event, AUTHENTICATION, INFORMATIONAL);
  return {
    ...ocsfHead({ ...head, category_uid: CATEGORY, activity_id: 1, activity_name: 'Logon' }),
    user: { uid: `${data['member_id']}` },
    service: { name: PRODUCT },
    unmapped: present({ method: data['method'] }),
  };
}

/**
 * Returns the OCSF event for a gap in an event stream, a webhook test, or an event of an unknown type. A gap
 * means that the client has missed events.
 */
export function baseEvent(event: EventLike): OcsfEvent {
  const severity = event.type === 'events.gap' ? MEDIUM : INFORMATIONAL;
  const activity_name = event.type.slice(event.type.indexOf('.') + 1);
  const head = headFields(event, 0, severity);
  return ocsfHead({ ...head, category_uid: 0, activity_id: OTHER, activity_name });
}

function headFields({ id, type, timestamp }: EventLike, class_uid: number, severity_id: number) {
  return {
    class_uid,
    severity_id,
    time: timestamp,
    message: type,
    metadata: { uid: id, event_code: type },
  };
}

const ID_FIELDS: Readonly<Record<EntityType, string>> = {
  Passport: 'agent_id',
  'API Key': 'id',
  Member: 'member_id',
  Webhook: 'webhook_id',
  Domain: 'domain',
  Approval: 'id',
  Spend: 'decision_id',
  Account: 'account_id',
};

function entityId(type: EntityType, data: EventLike['data']): string {
  return `${subjectOf(data)[ID_FIELDS[type]] ?? 'unknown'}`;
}

function factsOf({ type, data }: EventLike): OcsfEvent {
  const facts = subjectOf(data);
  const namedList = FACTS.filter((name) => typeof facts[name] !== 'object').map((name) => [
    name,
    facts[name],
  ]);
  // Elsewhere a name is a text of a caller.
  const budget = type === 'budget.threshold' ? facts['name'] : undefined;
  return present({ budget, ...Object.fromEntries(namedList) });
}

function subjectOf(data: EventLike['data']): EventLike['data'] {
  return Object(data['spend'] ?? data);
}

function actorOf(author: unknown): { readonly actor?: OcsfEvent } {
  if (typeof author !== 'string') return {};
  return { actor: author.startsWith('key_') ? { app_uid: author } : { user: { uid: author } } };
}
