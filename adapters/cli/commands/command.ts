/** The description of a command. The program uses it to parse arguments and to print the help. */
import { Argument, type Command, type Option } from 'commander';
import type { Operation } from '../../../src/http/index.ts';

/** The arguments of a command by name. If the value is a text, it describes a required argument. */
export type Arguments = Readonly<Record<string, string | Argument>>;

export type FieldOptions<Input> = { readonly [Name in keyof Input]?: Option };

export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  readonly isHidden?: boolean;
  /** The operation from which the command follows. */
  readonly operation?: Operation;
  readonly arguments?: Arguments;
  readonly options?: readonly Option[];
  readonly notes?: string;
  readonly examples: readonly string[];
  run(args: Readonly<Record<string, unknown>>, options: object, command: Command): Promise<void>;
}

export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CliCommand[];
}

/**
 * Adds a command or a group of commands to the program. If a command has the name of a group, the group becomes its
 * subcommands.
 */
export function addCommands(program: Command, addedCommand: CliCommand | CommandGroup): void {
  const isGroup = 'commands' in addedCommand;
  const knownCommand = program.commands.find((command) => command.name() === addedCommand.name);
  // Options behind the name of a verb below are of that verb.
  const parent = isGroup
    ? (knownCommand?.enablePositionalOptions() ??
      program.command(addedCommand.name).description(addedCommand.summary))
    : program;
  for (const spec of isGroup ? addedCommand.commands : [addedCommand]) addCommand(parent, spec);
}

function addCommand(program: Command, spec: CliCommand): void {
  const { name, summary, isHidden = false, options = [] } = spec;
  const names = Object.keys(spec.arguments ?? {});
  const command = program.command(name, { hidden: isHidden }).description(summary);
  for (const argument of Object.entries(spec.arguments ?? {})) command.addArgument(argumentOf(...argument));
  for (const option of options) command.addOption(option);
  command.addHelpText('after', afterHelp(spec)).action((...givenArgs: readonly unknown[]) => {
    const args = Object.fromEntries(names.map((argument, index) => [argument, givenArgs[index]]));
    return spec.run(args, command.opts(), command);
  });
}

function argumentOf(name: string, help: string | Argument): Argument {
  return typeof help === 'string' ? new Argument(`<${name}>`, help) : help;
}

function afterHelp({ notes, examples }: CliCommand): string {
  const title = examples.length === 1 ? 'Example' : 'Examples';
  const lines = examples.map((line) => `\n  $ ${line}`).join('');
  return `${notes === undefined ? '' : `\n${notes}\n`}\n${title}:${lines}`;
}
