import { options, type VNode } from 'preact';

/**
 * Returns the text with escapes for invisible characters that change how it is read: controls, bidirectional marks and
 * zero-width characters.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Attributes that a person sees or hears. */
const SPOKEN = ['title', 'aria-label', 'placeholder'];

/** Makes every text that is rendered from now on visible, so that no page can forget to do it. */
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
