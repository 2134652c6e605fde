import { Fragment, type JSX } from 'preact';
import type { Reason } from '../../../../src/types.ts';

export function Breaks({ of }: { of: string }): JSX.Element {
  return (
    <>
      {of.split(/(?<=[:/._-])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}

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
