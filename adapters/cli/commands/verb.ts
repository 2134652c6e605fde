/** The description of a command. The program uses it to parse arguments and to print the help. */
import { Argument, type Command, type Option } from 'commander';

/** The arguments of a command by name. If the value is a text, it describes a required argument. */
export type Arguments = Readonly<Record<string, string | Argument>>;

export type FieldOptions<Input> = { readonly [Name in keyof Input]?: Option };

export interface Verb {
  readonly name: string;
  readonly summary: string;
  readonly isHidden?: boolean;
  readonly arguments?: Arguments;
  readonly options?: readonly Option[];
  readonly notes?: string;
  readonly examples: readonly string[];
  run(args: Readonly<Record<string, unknown>>, options: object, command: Command): Promise<void>;
}

export interface VerbGroup {
  readonly name: string;
  readonly summary: string;
  readonly verbs: readonly Verb[];
}

/**
 * Adds a command or a group of commands to the program. If a command has the name of a group, the group becomes its
 * subcommands.
 */
export function addVerbs(program: Command, added: Verb | VerbGroup): void {
  const isGroup = 'verbs' in added;
  const known = program.commands.find((command) => command.name() === added.name);
  // Options behind the name of a verb below are of that verb.
  const parent = isGroup
    ? (known?.enablePositionalOptions() ?? program.command(added.name).description(added.summary))
    : program;
  for (const verb of isGroup ? added.verbs : [added]) addVerb(parent, verb);
}

function addVerb(program: Command, verb: Verb): void {
  const { name, summary, isHidden = false, options = [] } = verb;
  const names = Object.keys(verb.arguments ?? {});
  const command = program.command(name, { hidden: isHidden }).description(summary);
  for (const argument of Object.entries(verb.arguments ?? {})) command.addArgument(argumentOf(...argument));
  for (const option of options) command.addOption(option);
  command.addHelpText('after', afterHelp(verb)).action((...given: readonly unknown[]) => {
    const args = Object.fromEntries(names.map((argument, at) => [argument, given[at]]));
    return verb.run(args, command.opts(), command);
  });
}

function argumentOf(name: string, help: string | Argument): Argument {
  return typeof help === 'string' ? new Argument(`<${name}>`, help) : help;
}

function afterHelp({ notes, examples }: Verb): string {
  const title = examples.length === 1 ? 'Example' : 'Examples';
  const lines = examples.map((line) => `\n  $ ${line}`).join('');
  return `${notes === undefined ? '' : `\n${notes}\n`}\n${title}:${lines}`;
}
