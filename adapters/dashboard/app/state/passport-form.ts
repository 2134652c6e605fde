import { useState } from 'preact/hooks';
import type { Passport, PassportInput, PassportPatch, ProofRequirement } from '../../../../src/index.ts';
import type {
  ApprovalRequirement,
  Condition,
  OptionalPassportField,
  Order,
  PublicKeyInput,
  TrustedIssuer,
} from '../../../../src/types.ts';
import { budgetsIn, linesOfBudgets, linesOfPaces, pacesIn } from '../text/budget-lines.ts';
import type { PassportTemplate } from '../text/passport-templates.ts';
import { fromInput, toInput } from '../text/time.ts';
import { linesOf } from '../text/words.ts';

type ApprovalText = `approval_${keyof ApprovalRequirement}`;

export type PassportTexts = Record<
  Exclude<keyof PassportInput, 'approval' | 'owner' | 'managed_by'> | ApprovalText,
  string
>;

const TEXTS: PassportTexts = {
  domain: '',
  agent_name: '',
  parent_agent_id: '',
  allowed_actions: '',
  denied_actions: '',
  monetary_actions: '',
  monetary_limit_per_txn: '',
  currency: '',
  budgets: '',
  conditions: '',
  pace: '',
  order: '',
  trusted_issuers: '',
  approval_above: '',
  approval_actions: '',
  approval_seconds: '',
  approval_count: '',
  approval_by: '',
  approval_changes: '',
  allowed_targets: '',
  not_before: '',
  expires_at: '',
  proof: '',
  description: '',
  public_keys: '',
  metadata: '',
};

export interface PassportForm {
  readonly texts: PassportTexts;
  set(name: keyof PassportTexts): (value: string) => void;
  /** Fills in the limits of a template, or empties the limits without a template. The names of the agent stay. */
  start(fields: PassportTemplate['fields'] | undefined): void;
}

export function usePassportForm(passport?: Passport, parent = ''): PassportForm {
  const [texts, setTexts] = useState(() =>
    passport === undefined ? { ...TEXTS, parent_agent_id: parent } : textsOf(passport),
  );
  return {
    texts,
    set: (name) => (value) => setTexts((before) => ({ ...before, [name]: value })),
    start: (fields) =>
      setTexts(({ domain, agent_name, parent_agent_id }) => ({
        ...(fields === undefined ? TEXTS : textsOf(fields as Passport)),
        domain,
        agent_name,
        parent_agent_id,
      })),
  };
}

export function toInputOf(texts: PassportTexts): PassportInput {
  const { domain, agent_name, parent_agent_id, monetary_limit_per_txn } = texts;
  const { metadata, ...fields } = optionalFields(texts);
  const approval = approvalIn(texts);
  return {
    domain: domain.trim(),
    agent_name: agent_name.trim(),
    ...(parent_agent_id.trim() !== '' && { parent_agent_id: parent_agent_id.trim() }),
    allowed_actions: linesOf(texts.allowed_actions),
    monetary_limit_per_txn: monetary_limit_per_txn.trim(),
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
    ...(metadata && { metadata }),
    ...(approval && { approval: present(approval) }),
  };
}

export function toPatch(texts: PassportTexts, passport: Passport): PassportPatch {
  const before = textsOf(passport);
  const all: Readonly<Record<string, unknown>> = {
    ...optionalFields(texts),
    allowed_actions: linesOf(texts.allowed_actions),
    monetary_limit_per_txn: texts.monetary_limit_per_txn.trim(),
  };
  const patch: Record<string, unknown> = Object.fromEntries(
    Object.entries(all).filter(
      ([name]) => texts[name as keyof PassportTexts] !== before[name as keyof PassportTexts],
    ),
  );
  if (APPROVAL_TEXTS.some((name) => texts[name] !== before[name])) patch['approval'] = approvalIn(texts);
  if (!('metadata' in patch)) return patch;
  // A merge patch keeps the members that it does not name: removed ones are set to null.
  const gone = Object.keys(passport.metadata ?? {}).map((name) => [name, null]);
  const next = all['metadata'] as Record<string, string> | null;
  return { ...patch, metadata: next && { ...Object.fromEntries(gone), ...next } } as PassportPatch;
}

const APPROVAL_TEXTS = [
  'approval_above',
  'approval_actions',
  'approval_seconds',
  'approval_count',
  'approval_by',
  'approval_changes',
] as const satisfies readonly ApprovalText[];

export function asksPeople(texts: PassportTexts): boolean {
  return [texts.approval_above, texts.approval_actions, texts.approval_changes].some((text) => text !== '');
}

/** Returns the typed approval fields, with `null` for each empty field. Returns `null` if all fields are empty. */
function approvalIn(texts: PassportTexts): Readonly<Record<string, unknown>> | null {
  const typed = APPROVAL_TEXTS.map((name) => texts[name].trim());
  const [above, actions, seconds, count, by, changes] = typed;
  if (typed.every((text) => text === '')) return null;
  return {
    above: above || null,
    actions: actions ? linesOf(actions) : null,
    seconds: wholeIn(seconds),
    count: wholeIn(count),
    by: by || null,
    changes: changes ? true : null,
  };
}

/** Returns the typed number. A text that is not a number stays a text, so that the service reports it. */
function wholeIn(text: string | undefined): number | string | null {
  if (!text) return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function present(approval: Readonly<Record<string, unknown>>): ApprovalRequirement {
  return Object.fromEntries(Object.entries(approval).filter(([, value]) => value !== null));
}

function optionalFields(texts: PassportTexts): {
  [Name in Exclude<OptionalPassportField, 'parent_agent_id' | 'approval' | 'owner' | 'managed_by'>]:
    | PassportInput[Name]
    | null;
} {
  const list = (text: string): readonly string[] | null => (text.trim() === '' ? null : linesOf(text));
  const pairs = linesOf(texts.metadata).map((line) => {
    const [name = '', ...value] = line.split('=');
    return [name.trim(), value.join('=').trim()];
  });
  return {
    denied_actions: list(texts.denied_actions),
    monetary_actions: list(texts.monetary_actions),
    allowed_targets: list(texts.allowed_targets),
    currency: texts.currency.trim() || null,
    budgets: texts.budgets.trim() === '' ? null : budgetsIn(linesOf(texts.budgets)),
    conditions:
      texts.conditions.trim() === '' ? null : (linesOf(texts.conditions).map(parsed) as Condition[]),
    order: texts.order.trim() === '' ? null : (linesOf(texts.order).map(parsed) as Order[]),
    trusted_issuers:
      texts.trusted_issuers.trim() === ''
        ? null
        : (linesOf(texts.trusted_issuers).map(parsed) as TrustedIssuer[]),
    pace: texts.pace.trim() === '' ? null : pacesIn(linesOf(texts.pace)),
    not_before: fromInput(texts.not_before) ?? null,
    expires_at: fromInput(texts.expires_at) ?? null,
    proof: (texts.proof || null) as ProofRequirement | null,
    description: texts.description || null,
    public_keys: keysIn(texts.public_keys),
    metadata: pairs.length > 0 ? Object.fromEntries(pairs) : null,
  };
}

/** Parses a JWK, a JWK set or a list of JWKs. A text that is not JSON stays a text, so that the service reports it. */
function keysIn(text: string): readonly PublicKeyInput[] | null {
  if (text.trim() === '') return null;
  const read: unknown = parsed(text);
  const keys: unknown = Object(read).keys;
  return (Array.isArray(read) ? read : Array.isArray(keys) ? keys : [read]) as readonly PublicKeyInput[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textsOf(passport: Passport): PassportTexts {
  const lines = (list: readonly string[] | undefined): string => list?.join('\n') ?? '';
  return {
    domain: passport.domain,
    agent_name: passport.agent_name,
    parent_agent_id: passport.parent_agent_id ?? '',
    allowed_actions: lines(passport.allowed_actions),
    denied_actions: lines(passport.denied_actions),
    monetary_actions: lines(passport.monetary_actions),
    monetary_limit_per_txn: `${passport.monetary_limit_per_txn}`,
    currency: passport.currency ?? '',
    budgets: linesOfBudgets(passport.budgets ?? []).join('\n'),
    pace: lines(linesOfPaces(passport.pace ?? [])),
    order: lines(passport.order?.map((rule) => JSON.stringify(rule))),
    trusted_issuers: lines(passport.trusted_issuers?.map((issuer) => JSON.stringify(issuer))),
    conditions: lines(passport.conditions?.map((condition) => JSON.stringify(condition))),
    approval_above: `${passport.approval?.above ?? ''}`,
    approval_actions: lines(passport.approval?.actions),
    approval_seconds: `${passport.approval?.seconds ?? ''}`,
    approval_count: oneOf(passport.approval?.count, 1),
    approval_by: oneOf(passport.approval?.by, 'anyone'),
    approval_changes: passport.approval?.changes ? 'true' : '',
    allowed_targets: lines(passport.allowed_targets),
    not_before: toInput(passport.not_before),
    expires_at: toInput(passport.expires_at),
    proof: passport.proof ?? '',
    description: passport.description ?? '',
    public_keys: passport.public_keys === undefined ? '' : JSON.stringify(passport.public_keys, null, 2),
    metadata: lines(Object.entries(passport.metadata ?? {}).map(([name, value]) => `${name} = ${value}`)),
  };
}

function oneOf<Value extends string | number>(value: Value | undefined, usual: Value): string {
  return value === undefined || value === usual ? '' : `${value}`;
}
