import { type ErrorEntry, errorReference } from '../../src/http/binding.ts';

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly node: Node;
}

export function referencePage(document: Node, api: string): Html {
  const operations = operationsOf(document);
  const tags = Object.values(child(document, 'tags')).map((tag) => text(tag, 'name'));
  const schemas = child(child(document, 'components'), 'schemas');
  const info = child(document, 'info');
  return frame(
    `Reference · ${text(info, 'title')}`,
    html`<header>
<p class="quiet"><a href="./">Dashboard</a></p>
<h1>API reference</h1>
<p class="lead">All paths are below <code>/api</code>. Bodies are JSON, read strictly: unknown fields, doubled names and
numbers that a double cannot hold are refused. The same as <a href="${api}/openapi.json">OpenAPI&nbsp;3.1</a>. The <code>type</code> of an error leads to its code
below <a href="#errors">Errors</a>.</p>
</header>
<nav aria-label="Endpoints"><ul class="contents">${operations.map(contentsLine)}</ul></nav>
${tags.map((tag) => section(tag, operations, schemas))}
<h2 id="objects">Objects</h2>
${Object.entries(schemas).map(([name, schema]) => objectSheet(name, schema as Node))}
<h2 id="errors">Errors</h2>
${errorReference().map(errorSheet)}`,
  );
}

function operationsOf(document: Node): readonly Operation[] {
  return Object.entries(child(document, 'paths')).flatMap(([path, item]) =>
    Object.entries(Object(item)).map(([method, node]) => ({
      id: `${method}${path.replaceAll(/[^A-Za-z_]+/g, '-')}`.replace(/-$/, ''),
      method,
      path,
      node: node as Node,
    })),
  );
}

function contentsLine({ id, method, path }: Operation): Html {
  return html`<li><span class="method ${method}">${method.toUpperCase()}</span><a href="#${id}">${path}</a></li>`;
}

function section(tag: string, operations: readonly Operation[], schemas: Node): Html {
  const ownOperations = operations.filter(({ node }) => Object.values(child(node, 'tags')).includes(tag));
  return html`<h2>${tag}</h2>${ownOperations.map((operation) => operationSheet(operation, schemas))}`;
}

function operationSheet({ id, method, path, node }: Operation, schemas: Node): Html {
  return html`<section class="sheet" id="${id}">
<div class="endpoint"><span class="method ${method}">${method.toUpperCase()}</span><h3 class="path">${path}</h3><span class="credential">${credentialOf(node)}</span></div>
<p>${text(node, 'summary')}. ${prose(text(node, 'description'))}</p>
${parametersOf(node)}${bodyOf(node, schemas)}
<h4>Answers</h4>
<table><tbody>${Object.entries(child(node, 'responses')).map(answerRow)}</tbody></table>
</section>`;
}

function credentialOf(node: Node): string {
  const schemes = Object.values(child(node, 'security')).flatMap((scheme) => Object.keys(Object(scheme)));
  const names = schemes.map((scheme) => (scheme === 'key' ? 'X-API-Key' : 'Bearer token'));
  return names.length === 0 ? 'no credential' : names.join(' or ');
}

function parametersOf(node: Node): Content {
  const parameters = Object.values(child(node, 'parameters'));
  if (parameters.length === 0) return undefined;
  const rows = parameters.map((parameter) => {
    const place = text(parameter, 'in') === 'path' ? html`<span class="must">in the path</span>` : undefined;
    return html`<tr><td><code>${text(parameter, 'name')}</code>${place}</td><td class="type">${typeOf(child(parameter, 'schema'))}</td><td>${text(parameter, 'description')}</td></tr>`;
  });
  return html`<h4>Parameters</h4><div class="scroll" tabindex="0"><table><tbody>${rows}</tbody></table></div>`;
}

function bodyOf(node: Node, schemas: Node): Content {
  const schema = child(jsonOf(child(node, 'requestBody')), 'schema');
  const name = text(schema, '$ref').split('/').at(-1) ?? '';
  return name === '' ? undefined : html`<h4>Body: ${typeOf(schema)}</h4>${fieldTable(child(schemas, name))}`;
}

function answerRow([status, answer]: readonly [string, unknown]): Html {
  const schema = child(jsonOf(answer), 'schema');
  const isProblem = text(schema, '$ref').endsWith('/Problem');
  const type = Object.keys(schema).length === 0 || isProblem ? undefined : typeOf(schema);
  const description = prose(text(answer, 'description'));
  return html`<tr><td>${status}</td><td>${description}${type === undefined ? undefined : [' ', type]}</td></tr>`;
}

function jsonOf(node: unknown): Node {
  const [media = {}] = Object.values(child(node, 'content'));
  return media as Node;
}

function objectSheet(name: string, schema: Node): Html {
  const description = text(schema, 'description');
  return html`<section class="sheet" id="${anchor(name)}"><h3>${name}</h3>${description === '' ? undefined : html`<p class="quiet">${description}</p>`}${fieldTable(schema)}</section>`;
}

function errorSheet({ code, status, when, action, example }: ErrorEntry): Html {
  return html`<section class="sheet" id="${code}"><h3>${code}</h3><p>Status ${status}. ${prose(when)}</p><p>${prose(action)}</p>
<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre></section>`;
}

export function frame(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="app.css">
<link rel="stylesheet" href="reference.css">
</head>
<body>
<main class="reference">${content}</main>
</body>
</html>
`;
}

/** A JSON Schema or another part of the OpenAPI document: plain data of any shape. */
type Node = Readonly<Record<string, unknown>>;

const SCHEMA = '#/components/schemas/';

function child(node: unknown, name: string): Node {
  const value = Object(node)[name];
  return typeof value === 'object' && value !== null ? value : {};
}

function text(node: unknown, name: string): string {
  const value = Object(node)[name];
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
}

function fieldTable(schema: Node): Html {
  const fields = Object.entries(child(schema, 'properties'));
  const requirements: readonly unknown[] = Object.values(child(schema, 'required'));
  if (fields.length === 0) return html``;
  const rows = fields.map(([name, field]) => {
    const mark = requirements.includes(name) ? html`<span class="must">required</span>` : undefined;
    return html`<tr><td><code>${name}</code>${mark}</td><td class="type">${typeOf(field)}</td><td>${rulesOf(field)}</td></tr>`;
  });
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Rule</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function typeOf(schema: unknown): Content {
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

function anchor(name: string): string {
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
interface Html {
  readonly html: string;
}

/**
 * The values that a template accepts. HTML stays unchanged, texts are escaped, lists are joined, and `undefined` is
 * left out.
 */
type Content = Html | string | number | undefined | readonly Content[];

function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { html: parts.reduce((text, part, index) => `${text}${render(contents[index - 1])}${part}`) };
}

function prose(text: string): Html {
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
