import type { JSX } from 'preact';
import type { Analytics } from '../../../../../src/types.ts';
import { Time } from '../../parts/time.tsx';
import { plural } from '../../text/words.ts';

/** Says which part of the numbers is missing, if any. The time before the account was opened does not count. */
export function Completeness(props: { analytics: Analytics; bornAt: string }): JSX.Element | null {
  const { analytics, bornAt } = props;
  const { journal_dropped, complete_since, series } = analytics;
  const sinceMs = Date.parse(complete_since);
  const start = Math.max(Date.parse(series[0]?.start ?? complete_since), Date.parse(bornAt));
  if (journal_dropped === 0 && sinceMs <= start) return null;
  return (
    <div class="note wait">
      {journal_dropped > 0 && (
        <p>
          <strong>{plural(journal_dropped, 'verdict')}</strong> of this time{' '}
          {journal_dropped === 1 ? 'was' : 'were'} answered but not recorded: the numbers are too low by as
          many.
        </p>
      )}
      {sinceMs > start && (
        <p>
          Complete since <Time at={complete_since} seconds />. Earlier records may be missing.
        </p>
      )}
    </div>
  );
}
