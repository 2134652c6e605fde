/** Runs a command line: an error is one line on stderr, and the exit code. */
import type { Command } from 'commander';
import { refuseLostVariables } from './input/variables.ts';
import { EXIT, outputError, plainUsageError } from './output/error.ts';
import { guardOutput, printError } from './output/terminal.ts';

/** Makes the program throw instead of ending the process, and prints errors in our format. */
export function quiet(program: Command): Command {
  return program.exitOverride().configureOutput({ outputError: (text) => printError(plainUsageError(text)) });
}

/** Runs the command line of this process; an uncaught error ends it with a line on stderr. */
export function runProcess(createProgram: () => Command): void {
  guardOutput();
  process.once('uncaughtException', (thrown) => {
    outputError(thrown);
    process.exit(EXIT.failure);
  });
  runArguments(process.argv.slice(2), createProgram);
}

/** Runs the arguments; an error is printed on stderr, and sets the exit code of the process. */
export async function runArguments(args: readonly string[], createProgram: () => Command): Promise<void> {
  try {
    if (!args.some((argument) => TEXTS.includes(argument))) refuseLostVariables(process.env);
    await createProgram().parseAsync(withIdsLast(args), { from: 'user' });
  } catch (thrown) {
    outputError(thrown);
  }
}

/**
 * Returns the arguments with the ids of keys and logs after `--`: one in 64 begins with `-`, and would be read as an
 * option.
 */
function withIdsLast(args: readonly string[]): readonly string[] {
  if (!['signing-key', 'log'].includes(args[0] ?? '') || args.includes('--')) return args;
  const isId = (argument: string): boolean => ID.test(argument);
  const ids = args.filter(isId);
  return ids.length === 0 ? args : [...args.filter((argument) => !isId(argument)), '--', ...ids];
}

/** An id in base64url that begins with `-`. No option is as long. */
const ID = /^-[\w-]{42}$/;

const TEXTS: readonly string[] = ['-h', '--help', '-V', '--version', 'help', 'reference'];
