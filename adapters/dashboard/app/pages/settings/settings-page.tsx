import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LogOverview, Session } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { Check } from '../../parts/check.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Confirm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form, FormFailure } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { Facts } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { account, may } from '../../state/rights.ts';
import { beginSession, hostPages, leave, session } from '../../state/session.ts';
import { useTask } from '../../state/task.ts';
import { count, plural } from '../../text/words.ts';
import { Domains } from './domains.tsx';
import { DeleteAccount, EraseSubject } from './erase-subject.tsx';

export function SettingsPage(): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  if (hostPages.signIn !== '') {
    return (
      <Page title="Settings">
        <AccountFacts />
        <Domains />
        <LogCard />
        {may('POST /subjects/erase') && <EraseSubject />}
      </Page>
    );
  }
  return (
    <Page title="Settings">
      <AccountFacts />
      <section class="part">
        <h2>Password</h2>
        <PasswordForm />
      </section>
      <Domains />
      <LogCard />
      {may('POST /subjects/erase') && <EraseSubject />}
      <section class="part">
        <h2>Sign out everywhere</h2>
        <div class="panel narrow">
          <p>Ends all your sessions, on every device, this one included. API keys stay valid.</p>
          <button type="button" class="button danger-quiet" onClick={() => setAsking(true)}>
            Sign out everywhere
          </button>
        </div>
      </section>
      {may('DELETE /account') && <DeleteAccount />}
      {isAsking && (
        <Confirm
          title="Sign out everywhere?"
          action="Sign out everywhere"
          onClose={() => setAsking(false)}
          work={async () => {
            await call('POST', '/auth/logout', { body: { everywhere: true } });
            leave();
          }}
        >
          <p>You also have to sign in here again.</p>
        </Confirm>
      )}
    </Page>
  );
}

function AccountFacts(): JSX.Element {
  const { id, email, name, external_id, plan } = account.value ?? {};
  const rows = [
    ['Account', id && <code key="i">{id}</code>],
    ['E-mail', email],
    ['Name', name],
    ['Id in your application', external_id && <code key="e">{external_id}</code>],
    ['Plan', plan],
  ] as const;
  return (
    <section class="part">
      <h2>Account</h2>
      <Facts rows={rows.filter(([, value]) => value)} />
    </section>
  );
}

function LogCard(): JSX.Element {
  const loading = useLoad('log', (signal) => call<LogOverview>('GET', '/log', { signal }));
  return (
    <section class="part">
      <h2>Log</h2>
      {loading.failure?.status === 404 ? (
        <p class="quiet">
          Off, or still without a leaf. With the log on (<code>serve --evidence-log</code>), a stored
          checkpoint shows whether the past was changed.
        </p>
      ) : (
        <Shown of={loading} rows={4}>
          {(log) => <State log={log} />}
        </Shown>
      )}
    </section>
  );
}

function State({ log }: { log: LogOverview }): JSX.Element {
  const { size, pending, oldest_pending_at, checkpoint, keys, earlier } = log;
  return (
    <div class="stack">
      <p>
        Give the key and the checkpoint to a third party, who can then find out whether the past was changed.
      </p>
      <Facts
        rows={[
          ['Leaves', count(size)],
          ['Without a leaf yet', pending === 0 ? 'nothing' : count(pending)],
          ['The oldest of it', oldest_pending_at && <Time key="o" at={oldest_pending_at} ago />],
          ...(earlier.length > 0 ? [['Ended before', plural(earlier.length, 'log')] as const] : []),
        ]}
      />
      {keys.map(({ key, retired_at }) => (
        <CodeBlock key={key} label={retired_at === null ? 'Key' : 'Earlier key'} code={key} />
      ))}
      <CodeBlock label="Last checkpoint" code={checkpoint} />
    </div>
  );
}

/** Shows the form that changes the password. The change ends every session, and then this tab signs in again. */
function PasswordForm(): JSX.Element {
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
        hint="At least 12 characters. Every other session ends; API keys stay valid."
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
