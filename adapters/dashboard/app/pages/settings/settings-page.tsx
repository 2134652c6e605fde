import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.tsx';
import { Page } from '../../parts/page.tsx';
import { Facts } from '../../parts/table.tsx';
import { call } from '../../state/api.ts';
import { account, may } from '../../state/rights.ts';
import { hostPages, leave } from '../../state/session.ts';
import { DeleteAccount } from './delete-account.tsx';
import { Domains } from './domains.tsx';
import { EraseSubject } from './erase-subject.tsx';
import { LogCard } from './log-card.tsx';
import { PasswordForm } from './password-form.tsx';

/** Shows the settings of the account. Passwords and sessions are those of the host, if it lends its login. */
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
          <p>Ends every session of this account, on every device, this one included. API keys live on.</p>
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
          <p>You sign in again afterwards, here as well.</p>
        </Confirm>
      )}
    </Page>
  );
}

/** Shows the names of the account: its own, and those of the application. */
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
