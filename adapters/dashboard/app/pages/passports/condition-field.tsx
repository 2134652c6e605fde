import type { JSX } from 'preact';
import { LinesField } from '../../parts/field.tsx';
import type { PassportForm } from '../../state/passport-form.ts';

/** Renders the field of the conditions, each with its faults by its line. */
export function ConditionField({
  texts,
  set,
  errorAt,
}: Pick<PassportForm, 'texts' | 'set'> & {
  errorAt: (path: string) => string | undefined;
}): JSX.Element {
  return (
    <LinesField
      label="Conditions"
      optional
      hint='One per line, as JSON: {"actions": ["email.send"], "at": "/to", "email_in": ["@example.com"]}.'
      rows={2}
      value={texts.conditions}
      onValue={set('conditions')}
      error={errorAt('/conditions')}
    />
  );
}
