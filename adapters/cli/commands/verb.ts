/** The form of a command of the command: from this data the program parses its arguments and prints its help. */
import { Argument, type Command, type Option } from 'commander';

/** The arguments of a command by their names: a text describes one that is required. */
export type Arguments = Readonly<Record<string, string | Argument>>;

export type FieldOptions<Input> = { readonly [Name in keyof Input]?: Option };

/** A command of the command. */
export interface Verb {
  readonly name: string;
  /** The line that help and reference show. */
  readonly summary: string;
  readonly isHidden?: boolean;
  readonly arguments?: Arguments;
  readonly options?: readonly Option[];
  /** The paragraphs of the help between the options and the examples. */
  readonly notes?: string;
  /** Lines for a shell. */
  readonly examples: readonly string[];
  /** Runs the command with its arguments by name, and its options as Commander names them. */
  run(args: Readonly<Record<string, unknown>>, options: object, command: Command): Promise<void>;
}

/** Commands below one word, such as `key create` and `key list`. */
export interface VerbGroup {
  readonly name: string;
  readonly summary: string;
  readonly verbs: readonly Verb[];
}

/** Adds a command or a group of commands to the program. A group with the name of a command becomes its subcommands. */
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
