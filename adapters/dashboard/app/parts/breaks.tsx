import { Fragment, type JSX } from 'preact';

/** A text without spaces, such as an agent_id or a code, which may break behind its marks. */
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
