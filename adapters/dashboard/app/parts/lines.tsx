import { Fragment, type JSX } from 'preact';

/** A text of several lines. */
export function Lines({ of }: { of: string }): JSX.Element {
  return (
    <>
      {of.split('\n').map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </>
  );
}
