import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Check } from '../parts/check.tsx';
import { TextField } from '../parts/field.tsx';
import type { Failure } from '../state/api.ts';
import { useTask } from '../state/task.ts';
import { plural } from '../text/words.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export function CredentialsForm(props: {
  email?: string;
  action: string;
  busy: string;
  isNew?: boolean;
  work: (credentials: Credentials) => Promise<void>;
}): JSX.Element {
  const { action, busy, isNew = false, work } = props;
  const [email, setEmail] = useState(props.email ?? '');
  const [password, setPassword] = useState('');
  const [isShown, setShown] = useState(false);
  const task = useTask();
  const wait = useCountdown(task.failure);
  const isTaken = task.failure?.code === 'already_exists';
  const [emailError, passwordError] = [task.errorAt('/email'), task.errorAt('/password')];
  const isAtField = isTaken || (emailError ?? passwordError) !== undefined;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (wait === 0) task.run(() => work({ email, password }));
      }}
    >
      <TextField
        label="E-mail"
        value={email}
        onValue={setEmail}
        autoComplete="username"
        autoFocus={props.email === undefined}
        error={isTaken ? 'An account with this e-mail already exists.' : emailError}
        required
      />
      <TextField
        label="Password"
        type={isShown ? 'text' : 'password'}
        value={password}
        onValue={setPassword}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        autoFocus={props.email !== undefined}
        error={passwordError}
        required
        {...(isNew && { hint: 'At least 12 characters.' })}
      />
      {isNew && (
        <Check isOn={isShown} onValue={setShown}>
          Show the password
        </Check>
      )}
      <div role="alert">
        {task.failure && !isAtField && <p class="note bad">{reasonOf(task.failure, wait)}</p>}
      </div>
      <button type="submit" class="button primary wide" disabled={wait > 0} aria-busy={task.isRunning}>
        {task.isRunning ? busy : action}
      </button>
    </form>
  );
}

function reasonOf({ code, status, detail }: Failure, wait: number): string {
  if (code === 'invalid_credentials') return 'The e-mail or the password is wrong.';
  if (code === 'rate_limited') {
    return wait > 0
      ? `Too many attempts. You can try again in ${plural(wait, 'second')}.`
      : 'You can try again now.';
  }
  if (status === 0) return 'The service does not answer. Check your connection, then try again.';
  if (status === 503) return `The service cannot answer now. ${detail} Try again in a moment.`;
  return detail;
}

function useCountdown(failure: Failure | undefined): number {
  const [leftCount, setLeft] = useState(0);
  useEffect(() => {
    const end = Date.now() + (failure?.code === 'rate_limited' ? (failure.retryAfter ?? 0) : 0) * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [failure]);
  return leftCount;
}
