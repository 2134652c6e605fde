import type { JSX } from 'preact';
import { LinesField } from '../../parts/field.tsx';
import type { PassportForm } from '../../state/passport-form.ts';
import { ConditionRows } from './condition-rows.tsx';

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
        label="Budgets"
        optional
        hint="One per line: window=day,limit=100 or window=hour,count=5,actions=orders.*+refunds.create. A limit needs a currency, or as in window=day,limit=100000,unit=tokens,actions=model.call a unit. With overrun=true a commit may be above its hold. With warn_at=0.8 an event says that 80 % is used."
        rows={2}
        value={texts.budgets}
        onValue={set('budgets')}
        error={errorAt('/budgets')}
      />
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
        label="Trusted issuers"
        optional
        hint='For access tokens. One per line, as JSON: {"issuer": "https://cluster.example", "use": "workload", "subjects": ["system:serviceaccount:shop:*"]}.'
        rows={2}
        value={texts.trusted_issuers}
        onValue={set('trusted_issuers')}
        error={errorAt('/trusted_issuers')}
      />
      <ConditionRows value={texts.conditions} onValue={set('conditions')} errorAt={errorAt} />
    </>
  );
}
