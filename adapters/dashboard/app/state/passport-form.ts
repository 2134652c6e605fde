import { useState } from 'preact/hooks';
import type { Passport, PassportInput, PassportPatch } from '../../../../src/index.ts';
import type { FormField } from '../../../../src/schema/passport-words.ts';
import type { ApprovalRequirement } from '../../../../src/types.ts';
import { FORM_FIELDS, textOf, typedValue } from '../text/passport-fields.ts';
import type { PassportTemplate } from '../text/passport-templates.ts';
import { linesOf } from '../text/words.ts';

type ApprovalText = `approval_${keyof ApprovalRequirement}`;

export type PassportTexts = Record<FormField | ApprovalText, string>;

export interface PassportForm {
  readonly texts: PassportTexts;
  set(name: keyof PassportTexts): (value: string) => void;
  /** Fills in the limits of a template, or empties the limits without a template. The names of the agent stay. */
  start(fields: PassportTemplate['fields'] | undefined): void;
}

export function usePassportForm(passport?: Passport, parent = ''): PassportForm {
  const [texts, setTexts] = useState(() =>
    passport === undefined ? { ...textsOf({}), parent_agent_id: parent } : textsOf(passport),
  );
  return {
    texts,
    set: (name) => (value) => setTexts((before) => ({ ...before, [name]: value })),
    start: (fields) =>
      setTexts(({ domain, agent_name, parent_agent_id }) => ({
        ...textsOf((fields ?? {}) as Partial<Passport>),
        domain,
        agent_name,
        parent_agent_id,
      })),
  };
}

export function toInputOf(texts: PassportTexts): PassportInput {
  const approval = approvalIn(texts);
  const typed = Object.entries(valuesOf(texts)).filter(([, value]) => value !== null);
  return {
    ...(Object.fromEntries(typed) as unknown as PassportInput),
    ...requiredIn(texts),
    domain: texts.domain.trim(),
    agent_name: texts.agent_name.trim(),
    ...(approval && { approval: present(approval) }),
  };
}

export function toPatch(texts: PassportTexts, passport: Passport): PassportPatch {
  const before = textsOf(passport);
  const values = { ...valuesOf(texts), ...requiredIn(texts) };
  const changed = FORM_FIELDS.filter((name) => texts[name] !== before[name]);
  const patch: Record<string, unknown> = Object.fromEntries(changed.map((name) => [name, values[name]]));
  if (APPROVAL_TEXTS.some((name) => texts[name] !== before[name])) patch['approval'] = approvalIn(texts);
  if (!('metadata' in patch)) return patch;
  // A merge patch keeps the members that it does not name: removed ones are set to null.
  const gone = Object.keys(passport.metadata ?? {}).map((name) => [name, null]);
  const next = values.metadata as Record<string, string> | null;
  return { ...patch, metadata: next && { ...Object.fromEntries(gone), ...next } } as PassportPatch;
}

/** Returns the fields that a passport has even if their text is empty. */
function requiredIn(texts: PassportTexts): Pick<PassportInput, 'allowed_actions' | 'monetary_limit_per_txn'> {
  return {
    allowed_actions: linesOf(texts.allowed_actions),
    monetary_limit_per_txn: texts.monetary_limit_per_txn.trim(),
  };
}

function valuesOf(texts: PassportTexts): Record<FormField, unknown> {
  return Object.fromEntries(FORM_FIELDS.map((name) => [name, typedValue(texts[name], name)])) as Record<
    FormField,
    unknown
  >;
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

function textsOf(passport: Partial<Passport>): PassportTexts {
  const { approval = {} } = passport;
  return {
    ...(Object.fromEntries(FORM_FIELDS.map((name) => [name, textOf(passport, name)])) as Record<
      FormField,
      string
    >),
    approval_above: `${approval.above ?? ''}`,
    approval_actions: approval.actions?.join('\n') ?? '',
    approval_seconds: `${approval.seconds ?? ''}`,
    approval_count: oneOf(approval.count, 1),
    approval_by: oneOf(approval.by, 'anyone'),
    approval_changes: approval.changes ? 'true' : '',
  };
}

function oneOf<Value extends string | number>(value: Value | undefined, usual: Value): string {
  return value === undefined || value === usual ? '' : `${value}`;
}
