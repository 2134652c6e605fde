/** HTML that is safe to send: every text in it was escaped. */
export interface Html {
  readonly html: string;
}

/** What may stand in a template: HTML as it is, text escaped, a list one after another, nothing for `undefined`. */
export type Content = Html | string | number | undefined | readonly Content[];

/** Builds HTML from a template; values that are not HTML already are escaped. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { html: parts.reduce((before, part, index) => `${before}${render(contents[index - 1])}${part}`) };
}

/** Escaped text with its pieces in backticks set as code. */
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
