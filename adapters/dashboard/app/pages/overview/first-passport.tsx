import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Passport } from '../../../../../src/types.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { LinesField, TextField } from '../../parts/field.tsx';
import { call } from '../../state/api.ts';
import { useTask } from '../../state/task.ts';
import { linesOf } from '../../text/words.ts';

/** Shows the dialog that issues a passport from its required fields. */
export function FirstPassport(props: {
  onIssued: (passport: Passport) => void;
  onClose: () => void;
}): JSX.Element {
  const { onIssued, onClose } = props;
  const [domain, setDomain] = useState('');
  const [agent_name, setName] = useState('shopper');
  const [actions, setActions] = useState('payments.create');
  const [limit, setLimit] = useState('100');
  const [currency, setCurrency] = useState('EUR');
  const task = useTask();
  async function issue(): Promise<void> {
    const body = {
      ...{ domain: domain.trim(), agent_name, currency, allowed_actions: linesOf(actions) },
      monetary_limit_per_txn: limit.trim(),
    };
    onIssued(await call<Passport>('POST', '/passports', { body }));
  }
  return (
    <DialogForm
      {...{ task, onClose }}
      title="Issue a passport"
      action="Issue passport"
      work={issue}
      onDone={onClose}
    >
      <TextField
        label="Domain"
        hint="Yours, such as example.com."
        value={domain}
        onValue={setDomain}
        error={task.errorAt('/domain')}
        autoFocus
        required
      />
      <TextField
        label="Agent name"
        value={agent_name}
        onValue={setName}
        error={task.errorAt('/agent_name')}
        required
      />
      <LinesField
        label="Allowed actions"
        hint="One a line."
        value={actions}
        onValue={setActions}
        error={task.errorAt('/allowed_actions')}
        rows={2}
      />
      <div class="fields">
        <TextField
          label="Limit of one transaction"
          value={limit}
          onValue={setLimit}
          error={task.errorAt('/monetary_limit_per_txn')}
          inputMode="decimal"
          required
        />
        <TextField
          label="Currency"
          value={currency}
          onValue={setCurrency}
          error={task.errorAt('/currency')}
          required
        />
      </div>
    </DialogForm>
  );
}
