import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.tsx';
import { Page } from '../../parts/page.tsx';
import { call } from '../../state/api.ts';
import { leave } from '../../state/session.ts';
import { DeleteAccount } from './delete-account.tsx';
import { Domains } from './domains.tsx';
import { PasswordForm } from './password-form.tsx';

/** Shows the settings of the account. */
export function SettingsPage(): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return (
    <Page title="Settings">
      <section class="part">
        <h2>Password</h2>
        <PasswordForm />
      </section>
      <Domains />
      <section class="part">
        <h2>Sign out everywhere</h2>
        <div class="panel narrow">
          <p>Ends every session of this account, on every device, this one included. API keys live on.</p>
          <button type="button" class="button danger-quiet" onClick={() => setAsking(true)}>
            Sign out everywhere
          </button>
        </div>
      </section>
      <DeleteAccount />
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
