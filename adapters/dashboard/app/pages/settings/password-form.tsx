import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { Check } from '../../parts/check.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form, FormFailure } from '../../parts/form.tsx';
import { call } from '../../state/api.ts';
import { beginSession, leave, session } from '../../state/session.ts';
import { useTask } from '../../state/task.ts';

/** Shows the form that changes the password, which ends every session, and signs this tab in again. */
export function PasswordForm(): JSX.Element {
  const [current_password, setCurrent] = useState('');
  const [new_password, setNext] = useState('');
  const [isShown, setShown] = useState(false);
  const task = useTask();
  const email = session.value?.email ?? '';
  const isWrong = task.failure?.code === 'invalid_credentials';
  const type = isShown ? 'text' : 'password';

  async function change(): Promise<void> {
    await call('POST', '/auth/password', { body: { current_password, new_password } });
    const body = { email, password: new_password };
    // If the sign-in fails, the password has changed all the same: the sign-in form appears.
    const next = await call<Session>('POST', '/auth/login', { body }).catch(leave);
    if (next === undefined) return;
    beginSession({ token: next.access_token, email });
    setCurrent('');
    setNext('');
    announce('The password is changed. Every other session has ended.');
  }

  return (
    <Form class="panel narrow" task={task} onSubmit={() => task.run(change)}>
      {/* Shows a password manager to which account the password belongs. */}
      <input type="text" autoComplete="username" value={email} hidden readOnly />
      <TextField
        label="Present password"
        type={type}
        value={current_password}
        onValue={setCurrent}
        autoComplete="current-password"
        error={isWrong ? 'This is not the present password.' : task.errorAt('/current_password')}
        required
      />
      <TextField
        label="New password"
        type={type}
        value={new_password}
        onValue={setNext}
        autoComplete="new-password"
        hint="At least 12 characters. Every other session ends; API keys live on."
        error={task.errorAt('/new_password')}
        required
      />
      <Check isOn={isShown} onValue={setShown}>
        Show the passwords
      </Check>
      {!isWrong && <FormFailure task={task} />}
      <button type="submit" class="button primary" aria-busy={task.isRunning}>
        Change password
      </button>
    </Form>
  );
}
