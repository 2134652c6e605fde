/** Generates the commands as Markdown, from the definitions that parse the arguments. */
import type { Argument, Command, Option } from 'commander';

/** The number of commands from which a shared option is described only once. */
const SHARED_BY = 4;

export function referenceOf(program: Command): string {
  const commands = commandsBelow(program);
  const commonOptions = sharedOptions(commands.map(({ spec }) => spec));
  return [
    commands
      .map(
        ({ words, spec }) => `- [${words}](#${words.replaceAll(' ', '-')}): ${escaped(spec.description())}`,
      )
      .join('\n'),
    ...sectionsOf(afterHelp(program)),
    '### Options of many commands',
    [...commonOptions.values()].map(optionLine).join('\n'),
    ...commands.flatMap(({ words, spec }) => chapter(words, spec, commonOptions)),
  ].join('\n\n');
}

interface CliCommand {
  readonly words: string;
  readonly spec: Command;
}

function commandsBelow(command: Command, prefix = ''): CliCommand[] {
  const words = `${prefix}${command.name()}`;
  const shownCommands = command.createHelp().visibleCommands(command);
  // Commander adds a `help` of its own.
  const belowCommands = command.commands.filter((child) => shownCommands.includes(child));
  if (belowCommands.length === 0) return [{ words, spec: command }];
  const ownCommands = command.parent !== null && command.options.length > 0 ? [{ words, spec: command }] : [];
  return [...ownCommands, ...belowCommands.flatMap((child) => commandsBelow(child, `${words} `))];
}

function chapter(words: string, spec: Command, sharedOptions: ReadonlyMap<string, Option>): string[] {
  const ownOptions = optionsOf(spec).filter((option) => !sharedOptions.has(identity(option)));
  const common = optionsOf(spec).filter((option) => sharedOptions.has(identity(option)));
  return [
    `### ${words}`,
    indented(`${words} ${spec.usage()}`),
    `${sentence(spec.description())}`,
    [
      ...spec.registeredArguments.map(argumentLine),
      ...ownOptions.map(optionLine),
      ...commonLine(common),
    ].join('\n'),
    ...sectionsOf(afterHelp(spec)),
  ];
}

function sharedOptions(commands: readonly Command[]): Map<string, Option> {
  const options = commands.flatMap(optionsOf);
  const uses = (name: string): number => options.filter((option) => identity(option) === name).length;
  return new Map(
    options.map((option) => [identity(option), option] as const).filter(([name]) => uses(name) >= SHARED_BY),
  );
}

function optionsOf(spec: Command): readonly Option[] {
  return spec.options.filter(({ hidden }) => !hidden);
}

function identity({ flags, description, defaultValue, envVar, argChoices }: Option): string {
  return JSON.stringify([flags, description, defaultValue, envVar, argChoices]);
}

function commonLine(options: readonly Option[]): string[] {
  const names = options.map(({ flags }) => code(flags.replace(/ .*/, '')));
  return names.length === 0
    ? []
    : [`- [options of many commands](#options-of-many-commands): ${names.join(', ')}`];
}

function optionLine({ flags, description, argChoices, defaultValue, envVar }: Option): string {
  const facts = [
    ...(argChoices === undefined ? [] : [`(one of ${argChoices.map(code).join(', ')})`]),
    ...(defaultValue === undefined ? [] : [`(default ${code(`${defaultValue}`)})`]),
    ...(envVar === undefined ? [] : [`(variable ${code(envVar)})`]),
  ];
  return `- ${code(flags)}: ${[escaped(description), ...facts].join(' ')}`;
}

function argumentLine(argument: Argument): string {
  const name = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
  const choices =
    argument.argChoices === undefined ? [] : [`(one of ${argument.argChoices.map(code).join(', ')})`];
  return `- ${code(name)}: ${[escaped(argument.description), ...choices].join(' ')}`;
}

function afterHelp(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (suffix) => (text += suffix), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return text.slice(command.helpInformation().length).trim();
}

function sectionsOf(text: string): string[] {
  return text === '' ? [] : text.split('\n\n').flatMap(sectionOf);
}

function sectionOf(text: string): string[] {
  const [title = '', ...lines] = text.split('\n');
  if (!title.endsWith(':') || !lines.every((line) => line.startsWith('  '))) return [escaped(text)];
  return [`**${title.slice(0, -1)}**`, lines.map((line) => indented(line.slice(2))).join('\n')];
}

/** Indents a line. Code is indented instead of fenced, because a test runs the fenced code of a page. */
function indented(line: string): string {
  return `    ${line}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[<>*_\\]/g, '\\$&')))
    .join('');
}

function sentence(text: string): string {
  const plain = escaped(text);
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}
