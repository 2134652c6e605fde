import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { visible } from './visible.ts';

let isFirst = true;

/**
 * Renders a page with its title. After the first page each new title takes the focus, as with a newly loaded document.
 */
export function Page(props: {
  title: string;
  /** The number of pending items, such as `3` or `50+`, shown before the window title. */
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
  // At once, not after the paint: by then a person may be typing.
  useLayoutEffect(() => {
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
