/** HTML that is safe to send: every text in it is escaped. */
export interface Html {
  readonly html: string;
}

/**
 * The values that a template accepts: HTML unchanged, text escaped, the items of a list in turn, nothing for
 * `undefined`.
 */
export type Content = Html | string | number | undefined | readonly Content[];

/** Builds HTML from a template; escapes values that are not HTML. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { html: parts.reduce((before, part, index) => `${before}${render(contents[index - 1])}${part}`) };
}

/** Escapes a text, and renders its parts in backticks as code. */
export function prose(text: string): Html {
  const pieces = text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece));
  return html`${pieces}`;
}

function render(content: Content): string {
  if (content === undefined) return '';
  if (typeof content === 'object') {
    return 'html' in content ? content.html : content.map(render).join('');
  }
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
