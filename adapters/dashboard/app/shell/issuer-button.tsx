import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Failure } from '../state/api.ts';
import { comeBack, goToIssuer, isBack, issuerLabel } from '../state/issuer.ts';
import { useTask } from '../state/task.ts';

/** Offers the issuer of OpenID Connect, if there is one, and ends the sign-in with which a person comes back from it. */
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
    return 'This sign-in was not completed. Begin it again; if that does not help, ask an owner for a link.';
  if (status === 0 || code === 'service_unreachable')
    return `${issuerLabel} does not answer. Try again in a moment.`;
  return detail;
}
