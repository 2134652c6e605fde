import { type Signal, signal } from '@preact/signals';

export interface Session {
  readonly token: string;
  readonly email: string;
}

/** The pages of the application for signing in and out; empty if people sign in with the service. */
export const hostPages: { readonly signIn: string; readonly signOut: string } = {
  signIn: metaOf('sign-in'),
  signOut: metaOf('sign-out'),
};

/**
 * The session of a person whom the application has signed in. It needs no token, because the browser sends the
 * credentials of the application.
 */
const OF_HOST: Session = { token: '', email: '' };

const PLACE = 'agent-identity-session';

/** The session of this tab. It survives a reload; each tab has its own session. */
export const session: Signal<Session | undefined> = signal(restore());

/** The e-mail of an expired session. The page keeps its state behind the sign-in form. */
export const endedFor: Signal<string | undefined> = signal(undefined);

/** The number of sign-ins. When it changes, data that failed to load is loaded again. */
export const signIns: Signal<number> = signal(0);

export function beginSession(next: Session): void {
  sessionStorage.setItem(PLACE, JSON.stringify(next));
  session.value = next;
  endedFor.value = undefined;
  signIns.value++;
}

/**
 * Ends the session with this token, which the service has refused. Does nothing if a newer session has replaced the
 * session.
 */
export function endSession(token: string): void {
  if (session.value?.token !== token) return;
  sessionStorage.removeItem(PLACE);
  endedFor.value = session.value.email;
}

export function leave(): void {
  sessionStorage.removeItem(PLACE);
  session.value = undefined;
  endedFor.value = undefined;
}

export function metaOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';
}

function restore(): Session | undefined {
  if (hostPages.signIn !== '') return OF_HOST;
  const kept = sessionStorage.getItem(PLACE);
  return kept === null ? undefined : (JSON.parse(kept) as Session);
}
