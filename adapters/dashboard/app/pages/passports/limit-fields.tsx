import type { JSX } from 'preact';
import type { ApprovalRequirement } from '../../../../../src/types.ts';
import { LinesField, TextField } from '../../parts/field.tsx';
import type { PassportForm } from '../../state/passport-form.ts';
import { useSecondScript } from '../../state/second-script.ts';

/** Renders the fields of budgets and of approvals. An empty field sets no condition. */
export function LimitFields({
  form: { texts, set },
  errorAt,
}: {
  form: PassportForm;
  errorAt: (path: string) => string | undefined;
}): JSX.Element {
  const script = useSecondScript();
  const bind = (name: keyof ApprovalRequirement) => ({
    value: texts[`approval_${name}`],
    onValue: set(`approval_${name}`),
    error: errorAt(`/approval/${name}`),
  });
  return (
    <>
      <LinesField
        label="Budgets"
        optional
        hint="One per line: window=day,limit=100 or window=hour,count=5,actions=orders.*+refunds.create. A limit needs a currency."
        rows={2}
        value={texts.budgets}
        onValue={set('budgets')}
        error={errorAt('/budgets')}
      />
      {script !== 'failed' && script && <script.ConditionField {...{ texts, set, errorAt }} />}
      <div class="fields">
        <TextField
          label="Ask a person above this amount"
          optional
          hint="Needs a currency, and actions that must carry an amount."
          inputMode="decimal"
          {...bind('above')}
        />
        <TextField
          label="An approval lasts"
          optional
          hint="Seconds, 60 to 604800. Empty: an hour."
          inputMode="numeric"
          {...bind('seconds')}
        />
      </div>
      <LinesField
        label="Ask a person for these actions"
        optional
        hint="One a line: payments.refund, or a pattern such as orders.*."
        rows={2}
        {...bind('actions')}
      />
      {script !== 'failed' && script && <script.PeopleFields bind={bind} />}
    </>
  );
}
