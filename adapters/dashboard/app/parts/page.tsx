import { type ComponentChildren, type JSX, options, type VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

let isFirst = true;

/**
 * Renders a page with its title. After the first page, each new title gets the focus, as in a newly loaded document.
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

/**
 * Returns the text with escapes for invisible characters that change how it is read: controls, bidirectional marks and
 * zero-width characters.
 */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

const SPOKEN = ['title', 'aria-label', 'placeholder'];

/** Escapes invisible characters in every text that is rendered from now on, so that no page can forget it. */
export function renderVisibly(): void {
  options.vnode = (node: VNode) => {
    // The props of a text node are the text itself.
    const { type, props } = node as unknown as { type: unknown; props: string | Record<string, unknown> };
    if (typeof props === 'string') Object.assign(node, { props: visible(props) });
    else if (typeof type === 'string' && props !== null) {
      for (const name of SPOKEN) {
        const text = props[name];
        if (typeof text === 'string') props[name] = visible(text);
      }
    }
  };
}
