import type { JSX } from 'preact';
import type { Reason } from '../../../../src/types.ts';
import { Breaks } from './breaks.tsx';

/** Shows the codes of reasons, one a line. */
export function Codes({ reasons }: { reasons: readonly Reason[] }): JSX.Element | null {
  if (reasons.length === 0) return null;
  return (
    <div class="codes">
      {reasons.map(({ code }) => (
        <code key={code}>
          <Breaks of={code} />
        </code>
      ))}
    </div>
  );
}
