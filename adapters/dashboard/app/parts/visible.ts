import { options, type VNode } from 'preact';

/** The text with escapes for what is not seen but changes how the rest is read: controls, directions, zero widths. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Attributes that are read or heard. */
const SPOKEN = ['title', 'aria-label', 'placeholder'];

/** Makes every text that is rendered from now on visible, so that no part of a page can forget it. */
export function renderVisibly(): void {
  options.vnode = (node: VNode) => {
    // The props of a text are the text itself.
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
