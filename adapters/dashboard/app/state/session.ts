import { type Signal, signal } from '@preact/signals';

/** Who is signed in on this tab. */
export interface Session {
  readonly token: string;
  readonly email: string;
}

const PLACE = 'agent-identity-session';

/** Of this tab; a reload keeps it, another tab has its own. */
export const session: Signal<Session | undefined> = signal(restore());

/** The e-mail of a session that has expired: the page stays as it is below the form to sign in again. */
export const endedFor: Signal<string | undefined> = signal(undefined);

/** Counts sign-ins: what could not be loaded before is loaded again. */
export const signIns: Signal<number> = signal(0);

/** Keeps the session for this tab. */
export function beginSession(next: Session): void {
  sessionStorage.setItem(PLACE, JSON.stringify(next));
  session.value = next;
  endedFor.value = undefined;
  signIns.value++;
}

/** The token has ended; one that was replaced meanwhile changes nothing. */
export function endSession(token: string): void {
  if (session.value?.token !== token) return;
  sessionStorage.removeItem(PLACE);
  endedFor.value = session.value.email;
}

/** Back to the first form. */
export function leave(): void {
  sessionStorage.removeItem(PLACE);
  session.value = undefined;
  endedFor.value = undefined;
}

function restore(): Session | undefined {
  const kept = sessionStorage.getItem(PLACE);
  return kept === null ? undefined : (JSON.parse(kept) as Session);
}
