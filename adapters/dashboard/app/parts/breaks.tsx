import { Fragment, type JSX } from 'preact';

/** Renders a text without spaces, such as an agent_id or a code, that may wrap after its punctuation. */
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
