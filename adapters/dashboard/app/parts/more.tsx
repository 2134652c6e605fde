import type { JSX } from 'preact';
import type { Pages } from '../state/pages.ts';
import { FailureNote } from './states.tsx';

/** Renders the button that loads the next page of a list, if there is one. */
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
