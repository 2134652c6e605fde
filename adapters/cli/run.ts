/** How a command line is run: what goes wrong is said in one line, and is the exit code. */
import type { Command } from 'commander';
import { EXIT, outputError, plainUsageError, usageError } from './output/error.ts';
import { guardOutput, printError } from './output/terminal.ts';

/** The program, which throws instead of ending the process, and says errors as we do. */
export function quiet(program: Command): Command {
  return program.exitOverride().configureOutput({ outputError: (text) => printError(plainUsageError(text)) });
}

/** Does what the command line of this process asks for; what nothing else caught ends it with a line on stderr. */
export function runProcess(createProgram: () => Command): void {
  guardOutput();
  process.once('uncaughtException', (thrown) => {
    outputError(thrown);
    process.exit(EXIT.failure);
  });
  runArguments(process.argv.slice(2), createProgram);
}

/** Does what the arguments ask for; what goes wrong is said on stderr, and is the exit code of the process. */
export async function runArguments(args: readonly string[], createProgram: () => Command): Promise<void> {
  try {
    if (!args.some((argument) => TEXTS.includes(argument))) refuseEmptyVariables();
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (thrown) {
    outputError(thrown);
  }
}

const TEXTS: readonly string[] = ['-h', '--help', '-V', '--version', 'help', 'reference'];

/** An empty value is a setting that has got lost, such as a secret of a compose file: no default may take its place. */
function refuseEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env)) {
    const isOurs = name.startsWith('AGENT_IDENTITY_') || name === 'PORT' || name === 'HOST';
    if (isOurs && value === '') throw usageError(`${name} is empty: give it a value, or unset it.`);
  }
}
