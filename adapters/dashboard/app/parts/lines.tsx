import { Fragment, type JSX } from 'preact';

/** Renders a text of several lines. */
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
