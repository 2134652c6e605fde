/** Runs a command line. An error becomes one line on stderr, and an exit code. */
import type { Command } from 'commander';
import { refuseLostVariables } from './input/variables.ts';
import { EXIT, outputError, plainUsageError } from './output/error.ts';
import { guardOutput, printError } from './output/terminal.ts';

/** Makes the program throw instead of ending the process, and print errors in the format of this package. */
export function quiet(program: Command): Command {
  return program.exitOverride().configureOutput({ outputError: (text) => printError(plainUsageError(text)) });
}

export function runProcess(createProgram: () => Command): void {
  guardOutput();
  process.once('uncaughtException', (error) => {
    outputError(error);
    process.exit(EXIT.failure);
  });
  runArguments(process.argv.slice(2), createProgram);
}

export async function runArguments(args: readonly string[], createProgram: () => Command): Promise<void> {
  try {
    if (!args.some((argument) => TEXTS.includes(argument))) refuseLostVariables(process.env);
    await createProgram().parseAsync(withIdsLast(args), { from: 'user' });
  } catch (error) {
    outputError(error);
  }
}

/** Moves the ids of keys and logs behind `--`. One id in 64 begins with `-`, and would be parsed as an option. */
function withIdsLast(args: readonly string[]): readonly string[] {
  if (!['signing-key', 'log'].includes(args[0] ?? '') || args.includes('--')) return args;
  const isId = (argument: string): boolean => ID.test(argument);
  const ids = args.filter(isId);
  return ids.length === 0 ? args : [...args.filter((argument) => !isId(argument)), '--', ...ids];
}

/** Matches a base64url id that begins with `-`. No option is as long. */
const ID = /^-[\w-]{42}$/;

const TEXTS: readonly string[] = ['-h', '--help', '-V', '--version', 'help', 'reference'];
