import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Passport } from '../../../../../src/index.ts';
import { announce } from '../../parts/announce.tsx';
import { Confirm, DialogForm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { call } from '../../state/api.ts';
import { may } from '../../state/rights.ts';
import { useTask } from '../../state/task.ts';
import { fromInput } from '../../text/time.ts';

interface StateDialog {
  readonly id: string;
  readonly name: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function StateButtons({ passport, onDone }: { passport: Passport; onDone: () => void }): JSX.Element {
  const { agent_id: id, agent_name: name = id, status } = passport;
  const [open, setOpen] = useState<'state' | 'revoke'>();
  const close = () => setOpen(undefined);
  const isSuspended = status === 'suspended';
  const Dialog = open === 'revoke' ? Revoke : isSuspended ? Reinstate : Suspend;
  return (
    <>
      {may(isSuspended ? 'POST /reinstate' : 'POST /suspend') && (
        <button type="button" class="button" onClick={() => setOpen('state')}>
          {isSuspended ? 'Reinstate' : 'Suspend'}
        </button>
      )}
      {may('POST /revoke') && (
        <button type="button" class="button danger-quiet" onClick={() => setOpen('revoke')}>
          Revoke
        </button>
      )}
      {open !== undefined && <Dialog id={id} name={name} onDone={onDone} onClose={close} />}
    </>
  );
}

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

function Reinstate({ id, name, onDone, onClose }: StateDialog): JSX.Element {
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

function Revoke({ id, name, onDone, onClose }: StateDialog): JSX.Element {
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
