import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Announcements } from '../parts/announce.tsx';
import { call } from '../state/api.ts';
import { account, useRights } from '../state/rights.ts';
import { href, route } from '../state/route.ts';
import { endedFor, hostPages, leave, session } from '../state/session.ts';
import { PageAt, PeoplePage } from './page-at.tsx';
import { HostEntry, Mark, SignInAgain, SignInPage } from './sign-in.tsx';

const PAGES: readonly (readonly [path: string, title: string])[] = [
  ['overview', 'Overview'],
  ['keys', 'API Keys'],
  ['passports', 'Passports'],
  ['approvals', 'Approvals'],
  ['try', 'Try it'],
  ['verdicts', 'Verdicts'],
  ['analytics', 'Analytics'],
  ['webhooks', 'Webhooks'],
  ['members', 'Members'],
  ['audit', 'Audit'],
  ['settings', 'Settings'],
];

function Frame(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { path } = route.value;
  const [current = PAGES[0]?.[0]] = path;
  useRights(path.join('/'));
  useEffect(() => setOpen(false), [route.value]);
  return (
    <div class="frame">
      <button
        type="button"
        class="button skip"
        onClick={() => document.querySelector<HTMLElement>('#main')?.focus()}
      >
        Skip to the page
      </button>
      <header class="side">
        <div class="brand">
          <Mark />
          <span>Agent Identity</span>
          <button
            type="button"
            class="button small menu"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setOpen(!isOpen)}
          >
            Menu
          </button>
        </div>
        <div id="menu" class={isOpen ? 'open' : ''}>
          <nav aria-label="Pages">
            {PAGES.map(([name, title]) => (
              <a
                key={name}
                href={href([name])}
                {...(name === current && { 'aria-current': 'page' as const })}
              >
                {title}
              </a>
            ))}
            <a href="reference">API reference</a>
          </nav>
          <div class="who">
            <Person />
            <SignOut />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <PageAt key={path.join('/')} path={path} />
      </main>
    </div>
  );
}

function Person(): JSX.Element {
  const { name: organisation, member } = account.value ?? {};
  const person = member?.name ?? member?.email ?? session.value?.email;
  return (
    <>
      {person && (
        <span class="quiet clip" dir="auto">
          {person}
        </span>
      )}
      {organisation && (
        <span class="quiet clip" dir="auto">
          {organisation}
        </span>
      )}
    </>
  );
}

function SignOut(): JSX.Element | null {
  if (hostPages.signIn === '') {
    return (
      <button type="button" class="button small" onClick={signOut}>
        Sign out
      </button>
    );
  }
  return hostPages.signOut === '' ? null : (
    <a class="button small" href={hostPages.signOut}>
      Sign out
    </a>
  );
}

/** Signs out. The service revokes the token as well; if that fails, the token expires within the hour. */
function signOut(): void {
  call('POST', '/auth/logout').catch(() => undefined);
  leave();
}

export function App(): JSX.Element {
  const [first, token] = route.value.path;
  if (first === 'join' && token !== undefined) return <PeoplePage key={token} name="join" token={token} />;
  if (session.value === undefined) return <SignInPage />;
  if (hostPages.signIn !== '' && account.value === undefined) return <HostEntry />;
  return (
    <>
      {/* Remounted for another account, which must not see the pages of the one before. */}
      <Frame key={session.value.email} />
      {endedFor.value !== undefined && <SignInAgain email={endedFor.value} />}
      <Announcements />
    </>
  );
}
