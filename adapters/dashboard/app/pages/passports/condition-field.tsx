import type { JSX } from 'preact';
import { LinesField } from '../../parts/field.tsx';
import type { PassportForm } from '../../state/passport-form.ts';

/** Renders the fields of the conditions, each with its faults by its line, of the pace and of the order. */
export function ConditionField({
  texts,
  set,
  errorAt,
}: Pick<PassportForm, 'texts' | 'set'> & {
  errorAt: (path: string) => string | undefined;
}): JSX.Element {
  return (
    <>
      <LinesField
        label="Pace"
        optional
        hint="One per line: max=5,seconds=60 or max=1,seconds=10,actions=email.send."
        rows={2}
        value={texts.pace}
        onValue={set('pace')}
        error={errorAt('/pace')}
      />
      <LinesField
        label="Order"
        optional
        hint='One per line, as JSON: {"name": "tested", "actions": ["deploy.run"], "needs": {"actions": ["tests.run"], "seconds": 3600}}.'
        rows={2}
        value={texts.order}
        onValue={set('order')}
        error={errorAt('/order')}
      />
      <LinesField
        label="Conditions"
        optional
        hint='One per line, as JSON: {"actions": ["email.send"], "at": "/to", "email_in": ["@example.com"]}.'
        rows={2}
        value={texts.conditions}
        onValue={set('conditions')}
        error={errorAt('/conditions')}
      />
    </>
  );
}
