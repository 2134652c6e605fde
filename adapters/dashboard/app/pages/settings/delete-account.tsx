import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { call } from '../../state/api.ts';
import { leave, session } from '../../state/session.ts';
import { useTask } from '../../state/task.ts';

/** Shows the section that deletes the account, for which the password must be entered again. */
export function DeleteAccount(): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return (
    <section class="part">
      <h2>Delete the account</h2>
      <div class="panel narrow">
        <p>
          Erases all that this account has: its keys, webhooks, domains, approvals, verdicts and its e-mail.
          Its passports are revoked, and their ids can never be issued again.
        </p>
        <button type="button" class="button danger-quiet" onClick={() => setAsking(true)}>
          Delete the account
        </button>
      </div>
      {isAsking && <Ask onClose={() => setAsking(false)} />}
    </section>
  );
}

function Ask({ onClose }: { onClose: () => void }): JSX.Element {
  const [current_password, setCurrent] = useState('');
  const task = useTask();
  const isWrong = task.failure?.code === 'invalid_credentials';
  async function close(): Promise<void> {
    await call('DELETE', '/account', { body: { current_password } });
    leave();
  }
  return (
    <DialogForm
      title="Delete the account?"
      action="Delete the account"
      isDangerous
      isReady={current_password !== ''}
      {...{ task, work: close, onClose }}
    >
      <p>No key and no session works from then on. This cannot be undone.</p>
      {/* Shows a password manager to which account the password belongs. */}
      <input type="text" autoComplete="username" value={session.value?.email ?? ''} hidden readOnly />
      <TextField
        label="Password"
        type="password"
        value={current_password}
        onValue={setCurrent}
        autoComplete="current-password"
        error={isWrong ? 'This is not the password.' : task.errorAt('/current_password')}
        autoFocus
        required
      />
    </DialogForm>
  );
}
