import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ApiKey, RotatedApiKey } from '../../../../../src/types.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { SelectField } from '../../parts/field.tsx';
import { call } from '../../state/api.ts';
import { useTask } from '../../state/task.ts';
import { GRACES } from '../../text/words.ts';

/** Shows the dialog that rotates a key. */
export function RotateKey(props: {
  record: ApiKey;
  onClose: () => void;
  onRotated: (next: RotatedApiKey) => void;
}): JSX.Element {
  const { record, onClose, onRotated } = props;
  const [grace, setGrace] = useState('86400');
  const task = useTask();
  const once = useRef(crypto.randomUUID());
  async function rotate(): Promise<void> {
    const body = { grace_seconds: Number(grace) };
    const headers = { 'idempotency-key': `${once.current}-${grace}` };
    onRotated(await call<RotatedApiKey>('POST', `/keys/${record.id}/rotate`, { body, headers }));
  }
  return (
    <DialogForm title="Rotate this key" action="Rotate key" task={task} work={rotate} onClose={onClose}>
      <p>
        A new key takes the place of{' '}
        <strong dir="auto" class="break">
          {record.name}
        </strong>
        , with the same scopes and agents.
      </p>
      <SelectField
        label="The old key ends"
        hint="Long enough to put the new key everywhere. It never outlives its own expiry."
        value={grace}
        onValue={setGrace}
        options={GRACES}
        error={task.errorAt('/grace_seconds')}
      />
    </DialogForm>
  );
}
