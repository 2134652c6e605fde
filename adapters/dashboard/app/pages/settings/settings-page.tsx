import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.tsx';
import { Page } from '../../parts/page.tsx';
import { call } from '../../state/api.ts';
import { may } from '../../state/rights.ts';
import { href } from '../../state/route.ts';
import { hostPages, leave } from '../../state/session.ts';
import { DeleteAccount } from './delete-account.tsx';
import { Domains } from './domains.tsx';
import { LogCard } from './log-card.tsx';
import { PasswordForm } from './password-form.tsx';

/** Shows the settings of the account. Passwords and sessions are those of the host, where it lends its login. */
export function SettingsPage(): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  if (hostPages.signIn !== '') {
    return (
      <Page title="Settings">
        <People />
        <Domains />
        <LogCard />
      </Page>
    );
  }
  return (
    <Page title="Settings">
      <People />
      <section class="part">
        <h2>Password</h2>
        <PasswordForm />
      </section>
      <Domains />
      <LogCard />
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

/** Leads to the pages of the people of the account. */
function People(): JSX.Element {
  return (
    <section class="part">
      <h2>People</h2>
      <div class="actions">
        <a class="button" href={href(['settings', 'members'])}>
          Members
        </a>
        <a class="button" href={href(['settings', 'audit'])}>
          Audit
        </a>
      </div>
    </section>
  );
}
