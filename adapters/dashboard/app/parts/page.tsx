import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visible } from './visible.ts';

let isFirst = true;

/** A page with its title; after the first one the focus goes to the title of each, as it would with a new document. */
export function Page(props: {
  title: string;
  /** How many wait there, such as `3` or `50+`: before the title of the window. */
  count?: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  back?: JSX.Element;
  children: ComponentChildren;
}): JSX.Element {
  const { title, count = '', lead, actions, back, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${count === '' ? '' : `(${count}) `}${visible(title.slice(0, 80))} · Agent Identity`;
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
