import type { ComponentChildren, JSX } from 'preact';
import type { Failure } from '../state/api.ts';
import { isPassing, type Loaded } from '../state/load.ts';
import type { Pages } from '../state/pages.ts';
import { href } from '../state/route.ts';
import { endedFor } from '../state/session.ts';
import { plural } from '../text/words.ts';

export function FailureNote({ failure }: { failure: Failure | undefined }): JSX.Element {
  return (
    <div role="alert">
      {failure !== undefined && endedFor.value === undefined && (
        <p class="note bad">
          <Advice failure={failure} />
        </p>
      )}
    </div>
  );
}

export function Advice({ failure }: { failure: Failure }): JSX.Element {
  const { approval_id } = failure;
  return (
    <>
      {adviceOn(failure)}{' '}
      {approval_id && <a href={href(['approvals'], { approval: approval_id })}>See the approval</a>}
    </>
  );
}

export function Shown<T>(props: {
  of: Loaded<T>;
  rows?: number;
  children: (data: T) => JSX.Element;
}): JSX.Element {
  const { of, rows = 5, children } = props;
  const { data, failure, reload } = of;
  if (data === undefined && failure === undefined) return <Loading rows={rows} />;
  if (failure?.status === 404) {
    return (
      <Empty title={failure.detail}>
        <p>The address may be misspelled, or the page no longer exists.</p>
      </Empty>
    );
  }
  return (
    <>
      {failure !== undefined && (
        <div class="note bad" role="alert">
          <p>{adviceOn(failure)}</p>
          {isPassing(failure) ? (
            <p>This page tries again automatically.</p>
          ) : (
            <button type="button" class="button" onClick={reload}>
              Try again
            </button>
          )}
        </div>
      )}
      {data !== undefined && children(data)}
    </>
  );
}

function Loading({ rows }: { rows: number }): JSX.Element {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

export function Empty(props: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children}
    </div>
  );
}

function adviceOn({ code, detail, status, retryAfter }: Failure): string {
  if (status === 0) return detail;
  if (status === 503) return `The service cannot answer now. ${detail}`;
  if (code === 'rate_limited' && retryAfter !== undefined) {
    return `Too many requests. Try again in ${plural(retryAfter, 'second')}.`;
  }
  if (code === 'version_mismatch') {
    return 'This passport was changed meanwhile. Reload the page to see it, then make your change again.';
  }
  return detail;
}

export function More<T>({ pages }: { pages: Pages<T> }): JSX.Element | null {
  if (!pages.hasMore) return null;
  return (
    <div class="more">
      <FailureNote failure={pages.more.failure} />
      <button type="button" class="button" onClick={pages.showMore} aria-busy={pages.more.isRunning}>
        Show more
      </button>
    </div>
  );
}
