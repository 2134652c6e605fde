import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

let isFirst = true;

/** A page with its title; after the first one the focus goes to the title of each, as it would with a new document. */
export function Page(props: {
  title: string;
  /** How many wait there: before the title of the window. */
  count?: number | undefined;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  back?: JSX.Element;
  children: ComponentChildren;
}): JSX.Element {
  const { title, count = 0, lead, actions, back, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title.slice(0, 80)} · Agent Identity`;
  }, [title, count]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <>
      <header class="page-head">
        <div>
          {back}
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
