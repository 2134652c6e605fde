import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session as ApiSession } from '../../../../src/types.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Shown } from '../parts/states.tsx';
import { call, comeBack, type Failure, goToIssuer, isBack, issuerLabel } from '../state/api.ts';
import { useLoad } from '../state/load.ts';
import { account, loadAccount } from '../state/rights.ts';
import { goInstead, href, route } from '../state/route.ts';
import { beginSession, hostPages, leave } from '../state/session.ts';
import { useTask } from '../state/task.ts';
import { type Credentials, CredentialsForm } from './credentials-form.tsx';

const isOpen: boolean =
  document.querySelector<HTMLMetaElement>('meta[name=registration]')?.content === 'open';

export function SignInPage(): JSX.Element {
  return isOpen && route.value.path[0] === 'register' ? <Register /> : <SignIn />;
}

function SignIn(): JSX.Element {
  return (
    <Front title="Sign in" lead="See and steer what your agents may do.">
      <CredentialsForm key="sign-in" action="Sign in" busy="Signing in…" work={signIn} />
      <IssuerButton isEnd />
      {isOpen && (
        <p class="quiet">
          No account yet? <a href={href(['register'])}>Open an account</a>
        </p>
      )}
    </Front>
  );
}

function Register(): JSX.Element {
  async function register(credentials: Credentials): Promise<void> {
    await call('POST', '/auth/register', { body: credentials });
    await signIn(credentials);
    goInstead(['overview']);
  }
  return (
    <Front
      title="Open an account"
      lead="An account has the passports of your agents and the API keys of your applications."
    >
      <CredentialsForm key="register" action="Open account" busy="Opening…" work={register} isNew />
      <p class="quiet">
        You have an account? <a href={href(['overview'])}>Sign in</a>
      </p>
    </Front>
  );
}

/** Shows the sign-in form over the open page, which keeps its state. */
export function SignInAgain({ email }: { email: string }): JSX.Element {
  if (hostPages.signIn !== '') return <SignInAtHost />;
  return (
    <Dialog title="Your session has ended">
      <p>Sign in again. Nothing on this page is lost.</p>
      <CredentialsForm email={email} action="Sign in" busy="Signing in…" work={signIn} />
      <IssuerButton />
      <div class="actions">
        <button type="button" class="button quiet" onClick={leave}>
          Leave this page
        </button>
      </div>
    </Dialog>
  );
}

export function HostEntry(): JSX.Element | null {
  const loading = useLoad('entry', loadAccount);
  const { data, failure } = loading;
  useEffect(() => {
    if (data !== undefined) account.value = data;
  }, [data]);
  if (failure === undefined) return null;
  return (
    <Front title="Sign in" lead="See and steer what your agents may do.">
      {failure.code === 'unauthenticated' ? (
        <a class="button primary" href={hostSignIn()}>
          Sign in
        </a>
      ) : (
        <Shown of={loading}>{() => <></>}</Shown>
      )}
    </Front>
  );
}

function hostSignIn(): string {
  return hostPages.signIn.replace('{url}', () => encodeURIComponent(location.href));
}

function SignInAtHost(): JSX.Element {
  return (
    <Dialog title="You are not signed in">
      <p>Sign in to continue. You come back to this page.</p>
      <div class="actions">
        <a class="button primary" href={hostSignIn()}>
          Sign in
        </a>
      </div>
    </Dialog>
  );
}

function Front(props: { title: string; lead: string; children: ComponentChildren }): JSX.Element {
  const { title, lead, children } = props;
  useEffect(() => {
    document.title = `${title} · Agent Identity`;
  }, [title]);
  return (
    <main class="sign-in">
      <Mark />
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      {children}
    </main>
  );
}

async function signIn(credentials: Credentials): Promise<void> {
  const { access_token } = await call<ApiSession>('POST', '/auth/login', { body: credentials });
  beginSession({ token: access_token, email: credentials.email });
}

export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <title>Agent Identity</title>
      <rect width="32" height="32" rx="8" />
      <path d="M9 16.5l5 5 9-11" />
    </svg>
  );
}

/**
 * Shows the sign-in button for the OpenID Connect issuer, if there is one. It also completes the sign-in of a person
 * who comes back from the issuer.
 */
export function IssuerButton({
  link,
  isEnd = false,
}: {
  link?: string;
  isEnd?: boolean;
}): JSX.Element | null {
  const task = useTask();
  useEffect(() => {
    if (isEnd && isBack) task.run(comeBack);
  }, []);
  if (issuerLabel === '') return null;
  return (
    <div class="stack">
      <div role="alert">{task.failure && <p class="note bad">{wordsOf(task.failure)}</p>}</div>
      <button
        type="button"
        class="button wide"
        aria-busy={task.isRunning}
        onClick={() => task.run(() => goToIssuer(link))}
      >
        {task.isRunning ? 'Signing in…' : `Continue with ${issuerLabel}`}
      </button>
    </div>
  );
}

function wordsOf({ code, status, detail }: Failure): string {
  if (code === 'invalid_credentials')
    return 'This sign-in was not completed. Begin again. If that does not help, ask an owner for a link.';
  if (status === 0 || code === 'service_unreachable')
    return `${issuerLabel} does not answer. Try again in a moment.`;
  return detail;
}
