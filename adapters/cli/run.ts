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
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (thrown) {
    outputError(thrown);
  }
}

const TEXTS: readonly string[] = ['-h', '--help', '-V', '--version', 'help', 'reference'];
