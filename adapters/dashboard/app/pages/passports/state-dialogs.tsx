import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from '../../parts/announce.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { call } from '../../state/api.ts';
import { useTask } from '../../state/task.ts';
import { fromInput } from '../../text/time.ts';

interface StateDialog {
  readonly id: string;
  readonly name: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Shows the dialog that suspends a passport. */
export function Suspend({ id, name, onDone, onClose }: StateDialog): JSX.Element {
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const task = useTask();
  async function suspend(): Promise<void> {
    const end = fromInput(until);
    const body = { agent_id: id, ...(end !== undefined && { until: end }), ...(reason !== '' && { reason }) };
    await call('POST', '/suspend', { body });
    onDone();
    onClose();
    announce('The passport is suspended.');
  }
  return (
    <DialogForm title={`Suspend ${name}`} action="Suspend" task={task} work={suspend} onClose={onClose}>
      <p>Everything the agent asks for is denied until the suspension ends.</p>
      <TextField
        label="Until"
        optional
        type="datetime-local"
        hint="Empty: until you reinstate it."
        value={until}
        onValue={setUntil}
        error={task.errorAt('/until')}
        autoFocus
      />
      <TextField label="Reason" optional value={reason} onValue={setReason} error={task.errorAt('/reason')} />
    </DialogForm>
  );
}

/** Shows the dialog that ends a suspension. */
export function Reinstate({ id, name, onDone, onClose }: StateDialog): JSX.Element {
  const task = useTask();
  async function reinstate(): Promise<void> {
    await call('POST', '/reinstate', { body: { agent_id: id } });
    onDone();
    onClose();
    announce('The passport is active again.');
  }
  return (
    <DialogForm
      title={`Reinstate ${name}?`}
      action="Reinstate"
      task={task}
      work={reinstate}
      onClose={onClose}
    >
      <p>The agent may again do all that its passport allows.</p>
    </DialogForm>
  );
}

/** Shows the dialog that revokes a passport. */
export function Revoke({ id, name, onDone, onClose }: StateDialog): JSX.Element {
  const [reason, setReason] = useState('');
  async function revoke(): Promise<void> {
    await call('POST', '/revoke', { body: { agent_id: id, ...(reason !== '' && { reason }) } });
    onDone();
    announce('The passport is revoked.');
  }
  return (
    <Confirm title={`Revoke ${name}?`} action="Revoke passport" typed={name} work={revoke} onClose={onClose}>
      <p>Everything the agent asks for is denied from now on. This cannot be undone.</p>
      <TextField label="Reason" optional value={reason} onValue={setReason} />
    </Confirm>
  );
}
