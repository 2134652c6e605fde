import type { JSX } from 'preact';
import { Announcements } from '../parts/announce.tsx';
import { account } from '../state/rights.ts';
import { route } from '../state/route.ts';
import { endedFor, hostPages, session } from '../state/session.ts';
import { Frame } from './frame.tsx';
import { PeoplePage } from './people-pages.tsx';
import { HostEntry, SignInAgain, SignInPage } from './sign-in.tsx';

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
