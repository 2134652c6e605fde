/** A JSON Schema or another part of the OpenAPI document: plain data of any shape. */
export type Node = Readonly<Record<string, unknown>>;

const SCHEMA = '#/components/schemas/';

export function child(node: unknown, name: string): Node {
  const value = Object(node)[name];
  return typeof value === 'object' && value !== null ? value : {};
}

export function text(node: unknown, name: string): string {
  const value = Object(node)[name];
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

export function fieldTable(schema: Node): Html {
  const fields = Object.entries(child(schema, 'properties'));
  const requirements: readonly unknown[] = Object.values(child(schema, 'required'));
  if (fields.length === 0) return html``;
  const rows = fields.map(([name, field]) => {
    const mark = requirements.includes(name) ? html`<span class="must">required</span>` : undefined;
    return html`<tr><td><code>${name}</code>${mark}</td><td class="type">${typeOf(field)}</td><td>${rulesOf(field)}</td></tr>`;
  });
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Rule</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export function typeOf(schema: unknown): Content {
  const link = text(schema, '$ref');
  if (link.startsWith(SCHEMA)) {
    const name = link.slice(SCHEMA.length);
    return html`<a href="#${anchor(name)}">${name}</a>`;
  }
  const variants = Object.values(child(schema, 'anyOf'));
  if (variants.length > 0)
    return variants.map((variant, index) => [index > 0 ? ' or ' : '', typeOf(variant)]);
  if ('const' in Object(schema)) return html`<code>${JSON.stringify(Object(schema).const)}</code>`;
  const values = Object.values(child(schema, 'enum'));
  if (values.length > 0) {
    return values.map((value, index) => [index > 0 ? ' | ' : '', html`<code>${String(value)}</code>`]);
  }
  const type = text(schema, 'type');
  if (type === 'array') return ['list of ', typeOf(child(schema, 'items'))];
  return type || Object.values(child(schema, 'type')).join(' or ');
}

export function anchor(name: string): string {
  return `object-${name.toLowerCase()}`;
}

function rulesOf(schema: unknown): Content {
  const [first] = Object.values(child(schema, 'anyOf'));
  if (first !== undefined) return rulesOf(first);
  const parts = [text(schema, 'description'), range(schema), pattern(schema)].filter((part) => part !== '');
  const [example] = Object.values(child(schema, 'examples'));
  const shownHtml =
    example === undefined
      ? undefined
      : html` <span class="quiet">Such as</span> <code>${JSON.stringify(example)}</code>`;
  return [prose(parts.join(' ')), shownHtml];
}

function range(schema: unknown): string {
  const pairs = [
    ['minLength', 'maxLength', 'characters'],
    ['minItems', 'maxItems', 'entries'],
    ['minimum', 'maximum', ''],
  ] as const;
  return pairs
    .map(([minimum, maximum, unit]) => {
      const low = text(schema, minimum);
      const high = text(schema, maximum);
      if (low === '' && high === '') return '';
      if (high === '') return `At least ${low} ${unit}`.trim();
      return `${low === '' ? 'Up to' : `${low} to`} ${high} ${unit}`.trim();
    })
    .filter((sentence) => sentence !== '')
    .map((sentence) => `${sentence}.`)
    .join(' ');
}

function pattern(schema: unknown): string {
  const expression = text(schema, 'pattern');
  return expression === '' ? '' : `Matches \`${expression}\`.`;
}

/** HTML that is safe to send, because every text in it is escaped. */
export interface Html {
  readonly html: string;
}

/**
 * The values that a template accepts. HTML stays unchanged, texts are escaped, lists are joined, and `undefined` is
 * left out.
 */
export type Content = Html | string | number | undefined | readonly Content[];

export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { html: parts.reduce((text, part, index) => `${text}${render(contents[index - 1])}${part}`) };
}

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
