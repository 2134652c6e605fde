/** The texts of the product that no source has in one place: of the OpenAPI document, and of the command. */
import type { Command } from 'commander';
import { createProgram } from '../../adapters/cli/program.ts';
import { endpoints, openApiDocument } from '../../src/http/index.ts';

export interface Text {
  readonly path: string;
  readonly text: string;
}

/** Returns each text once, at the first place that has it. */
function onceEach(texts: readonly Text[]): readonly Text[] {
  return [...new Map(texts.toReversed().map((one) => [one.text, one])).values()];
}

/** Returns the summaries and the descriptions of the API. */
export function readOpenApi(): Readonly<Record<'summaries' | 'descriptions', readonly Text[]>> {
  const { paths, components } = openApiDocument(endpoints) as Readonly<Record<string, unknown>>;
  return {
    summaries: onceEach(textsIn(paths, 'summary', 'paths')),
    descriptions: onceEach(textsIn({ paths, components }, 'description', '')),
  };
}

function textsIn(value: unknown, name: string, path: string): readonly Text[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    key === name && typeof below === 'string'
      ? [{ path, text: below }]
      : textsIn(below, name, `${path}/${key}`),
  );
}

/** Returns the lines of the groups, and the help of all options and arguments. */
export function readHelp(): Readonly<Record<'groups' | 'options', readonly Text[]>> {
  const commands = commandsOf(createProgram(), '');
  return {
    groups: commands
      .filter(({ path, command }) => path !== '' && command.commands.length > 0)
      .filter(({ command }) => command.options.length + command.registeredArguments.length === 0)
      .map(({ path, command }) => ({ path, text: command.description() })),
    options: onceEach(
      commands.flatMap(({ path, command }) =>
        [...command.options, ...command.registeredArguments].map(({ description: text }) => ({ path, text })),
      ),
    ),
  };
}

/** Returns the phrases of the help of an option, which semicolons part. */
export function phrasesOf(help: string): readonly string[] {
  return help.split(/;\s+/);
}

function commandsOf(command: Command, path: string): readonly { path: string; command: Command }[] {
  const below = command.commands.flatMap((child) => commandsOf(child, `${path} ${child.name()}`.trim()));
  return [{ path, command }, ...below];
}

/** Between two tags: words, and values in braces. */
const BETWEEN_TAGS = />\s*([A-Z][^<>{}]*(?:\{[^<>{}]*\}[^<>{}]*)*)</g;
const ATTRIBUTE = /\b(?:title|label|hint|help|note|placeholder|text|aria-label)="([^"]+)"/g;

/** Returns the texts of the elements of a page of the dashboard, and of their attributes. */
export function textsOfElements(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(BETWEEN_TAGS), ...code.matchAll(ATTRIBUTE)].map(([, text = '']) =>
    text
      .replace(/\{' '\}/g, ' ')
      .replace(/\{[^{}]*\}/g, 'Value')
      .trim(),
  );
}
