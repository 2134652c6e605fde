import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Session as ApiSession, ReadLink } from '../../../../../src/types.ts';
import { TextField } from '../../parts/field.tsx';
import { Form, FormFailure } from '../../parts/form.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { IssuerButton, Mark } from '../../shell/sign-in.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { goInstead, href } from '../../state/route.ts';
import { beginSession } from '../../state/session.ts';
import { useTask } from '../../state/task.ts';

export function JoinPage({ token }: { token: string }): JSX.Element {
  const link = useLoad(`link ${token}`, (signal) =>
    call<ReadLink>('POST', '/auth/link', { body: { token }, signal }),
  );
  useEffect(() => {
    document.title = 'Join · Agent Identity';
  }, []);
  return (
    <main class="sign-in">
      <Mark />
      {link.failure?.status === 404 ? (
        <>
          <h1>This link does not work</h1>
          <Empty title="It was used, was replaced or has expired.">
            <p>Ask an owner of the account for a new link.</p>
            <a class="button" href={href(['overview'])}>
              Sign in
            </a>
          </Empty>
        </>
      ) : (
        <Shown of={link}>{(facts) => <Choose token={token} facts={facts} />}</Shown>
      )}
    </main>
  );
}

function Choose({ token, facts }: { token: string; facts: ReadLink }): JSX.Element {
  const { role, name, resets, expires_at } = facts;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const task = useTask();
  const isTaken = task.failure?.code === 'already_exists';

  async function accept(): Promise<void> {
    const body = { token, password, ...(facts.email === null && { email: email.trim() }) };
    const { access_token } = await call<ApiSession>('POST', '/auth/accept', { body });
    beginSession({ token: access_token, email: facts.email ?? email.trim() });
    // The used link leaves the address.
    goInstead(['overview']);
  }

  return (
    <>
      <h1>{resets ? 'Choose a new login' : 'Join the account'}</h1>
      <p class="lead">
        {name !== null && <span dir="auto">{name}: </span>}
        {resets
          ? 'Your old login and all your sessions end.'
          : `You are invited as ${role === 'viewer' ? 'a' : 'an'} ${role}.`}{' '}
        The link is valid until <Time at={expires_at} />.
      </p>
      <Form class="stack" task={task} onSubmit={() => task.run(accept)}>
        {facts.email === null ? (
          <TextField
            label="E-mail"
            value={email}
            onValue={setEmail}
            autoComplete="username"
            error={
              isTaken
                ? 'Another account uses this e-mail. Choose a different e-mail.'
                : task.errorAt('/email')
            }
            autoFocus
            required
          />
        ) : (
          <>
            <input type="text" autoComplete="username" value={facts.email} hidden readOnly />
            <p>
              You sign in as <strong dir="auto">{facts.email}</strong>.
            </p>
          </>
        )}
        <TextField
          label="Password"
          type="password"
          hint="At least 12 characters."
          value={password}
          onValue={setPassword}
          autoComplete="new-password"
          error={task.errorAt('/password')}
          autoFocus={facts.email !== null}
          required
        />
        <FormFailure task={task} />
        <button type="submit" class="button primary wide" aria-busy={task.isRunning}>
          {resets ? 'Set the password' : 'Join'}
        </button>
      </Form>
      <IssuerButton link={token} />
    </>
  );
}
