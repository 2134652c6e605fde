import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NewWebhook } from '../../../../../src/types.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { SelectField } from '../../parts/field.tsx';
import { call } from '../../state/api.ts';
import { useTask } from '../../state/task.ts';
import { GRACES } from '../../text/words.ts';

/** Shows the dialog that gives the webhook of this path a new secret. */
export function RotateSecret(props: {
  path: string;
  onClose: () => void;
  onRotated: (next: NewWebhook) => void;
}): JSX.Element {
  const { path, onClose, onRotated } = props;
  const [grace, setGrace] = useState('86400');
  const task = useTask();
  async function rotate(): Promise<void> {
    const body = { grace_seconds: Number(grace) };
    onRotated(await call<NewWebhook>('POST', `${path}/rotate`, { body }));
  }
  return (
    <DialogForm title="Rotate the secret" action="Rotate secret" task={task} work={rotate} onClose={onClose}>
      <p>A new secret signs what is sent. Until the old one ends both do.</p>
      <SelectField
        label="The old secret ends"
        hint="Long enough to give the new secret to the receiver."
        value={grace}
        onValue={setGrace}
        options={GRACES}
        error={task.errorAt('/grace_seconds')}
      />
    </DialogForm>
  );
}
