import { Fragment, type JSX } from 'preact';
import type { Reason } from '../../../../src/types.ts';

/** The codes of reasons, one below the other. */
export function Codes({ reasons }: { reasons: readonly Reason[] }): JSX.Element {
  return (
    <div class="codes">
      {reasons.map(({ code }) => (
        <Code key={code} value={code} />
      ))}
    </div>
  );
}

/** A code such as `amount_exceeds_limit`, which may break after each underscore. */
function Code({ value }: { value: string }): JSX.Element {
  return (
    <code>
      {value.split(/(?<=_)/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  );
}
