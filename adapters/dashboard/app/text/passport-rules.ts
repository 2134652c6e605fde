import type { PassportInput } from '../../../../src/index.ts';

/**
 * The error of each field, by the JSON Pointer that the service would use. The errors are only hints, because
 * the service makes the final check.
 */
export type FieldNotes = Readonly<Record<string, string>>;

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NAME_OR_EMPTY = /^(?:[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9_-])?)?$/;
const ACTION = /^(?:\*|[A-Za-z0-9][\w.:/-]{0,127}|[A-Za-z0-9][\w.:/-]{0,125}[.:]\*)$/;
const AMOUNT_OR_EMPTY = /^(?:\d{1,16}(?:\.\d{1,6})?)?$/;
const CURRENCY_OR_EMPTY = /^(?:[A-Z]{3})?$/;

/** Checks a passport while a person types. Empty fields have no error, so that a new form shows no errors. */
export function notesOn(input: Partial<PassportInput>): FieldNotes {
  const { domain = '', agent_name = '', not_before, expires_at, description = '' } = input;
  const notes: Record<string, string> = {};
  if (domain !== '' && !isDomain(domain))
    notes['/domain'] = 'A host name in lower case, such as shop.example.';
  if (!NAME_OR_EMPTY.test(agent_name))
    notes['/agent_name'] =
      'Lower-case letters, digits, dots, dashes and underscores, at most 63; it does not end in a dot.';
  for (const field of ['allowed_actions', 'denied_actions', 'monetary_actions'] as const) {
    const wrong = input[field]?.find((entry) => !ACTION.test(entry));
    if (wrong !== undefined)
      notes[`/${field}`] =
        `“${wrong.slice(0, 60)}” is not an action such as payments.create, a pattern such as orders.*, or *.`;
  }
  const target = input.allowed_targets?.find((entry) => !entry.startsWith('did:'));
  if (target !== undefined)
    notes['/allowed_targets'] = `“${target.slice(0, 60)}” is not a DID such as did:web:shop.example.`;
  if (input.public_keys?.some((key) => Object.hasOwn(Object(key), 'd')))
    notes['/public_keys'] =
      'This is a private key. Give only the public key, and keep the private key secret.';
  if (!AMOUNT_OR_EMPTY.test(`${input.monetary_limit_per_txn ?? ''}`))
    notes['/monetary_limit_per_txn'] = 'A decimal from 0 to 10^15, such as 19.99.';
  if (!CURRENCY_OR_EMPTY.test(input.currency ?? ''))
    notes['/currency'] = 'Three capital letters, such as EUR.';
  if (not_before && expires_at && expires_at <= not_before) notes['/expires_at'] = 'Later than the start.';
  if ([...description].length > 500) notes['/description'] = 'At most 500 characters.';
  return notes;
}

function isDomain(text: string): boolean {
  const labels = text.replace(/%3A[1-9]\d{0,4}$/, '').split('.');
  return text === 'localhost' || (labels.length > 1 && labels.every((label) => LABEL.test(label)));
}
