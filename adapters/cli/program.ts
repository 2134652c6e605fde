import { createRequire } from 'node:module';
import { Command } from 'commander';
import { addAccountCommands } from './commands/account.ts';
import { addAnalyticsCommand } from './commands/analytics.ts';
import { addBenchCommand } from './commands/bench.ts';
import { addDecideCommand } from './commands/decide.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addDomainCommands } from './commands/domain.ts';
import { addJournalCommands } from './commands/journal.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOpenApiCommand } from './commands/openapi.ts';
import { addPassportCommands } from './commands/passport.ts';
import { addReferenceCommand } from './commands/reference.ts';
import { addServeCommand } from './commands/serve.ts';
import { addVerificationsCommand } from './commands/verifications.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { EXIT, outputError, plainUsageError, usageError } from './output/error.ts';
import { guardOutput, printError } from './output/terminal.ts';

const { version }: { version: string } = createRequire(import.meta.url)(
  'agent-identity-service/package.json',
);

/** The command with all its verbs. What goes wrong is thrown, as `CommanderError` or `IdentityError`. */
export function createProgram(): Command {
  const program = new Command('agent-identity')
    .description('Passports for software agents, and a verdict on what they are about to do.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({ outputError: (text) => printError(plainUsageError(text)) })
    .addHelpText('after', AFTER);
  addServeCommand(program, version);
  addVerifyCommand(program);
  addDecideCommand(program);
  addPassportCommands(program);
  addKeyCommands(program);
  addAccountCommands(program);
  addDomainCommands(program);
  addVerificationsCommand(program);
  addJournalCommands(program);
  addAnalyticsCommand(program);
  addMigrateCommand(program);
  addBenchCommand(program);
  addDoctorCommand(program, version);
  addOpenApiCommand(program);
  addReferenceCommand(program);
  return program;
}

/** Does what the command line of this process asks for; what nothing else caught ends it with a line on stderr. */
export function runProgram(): void {
  guardOutput();
  process.once('uncaughtException', (thrown) => {
    outputError(thrown);
    process.exit(EXIT.failure);
  });
  runCommand(process.argv.slice(2));
}

/** Does what the arguments ask for; what goes wrong is said on stderr, and is the exit code of the process. */
export async function runCommand(args: readonly string[]): Promise<void> {
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

const AFTER = `
Exit codes:
  0  done, or the verdict is ALLOW
  1  failed: not found, refused, service or storage out of reach
  2  wrong usage, input or configuration
  3  the verdict is DENY

Examples:
  $ agent-identity serve
  $ agent-identity passport list --storage sqlite:./agent-identity.db
  $ agent-identity verify --agent did:web:example.com:agents:shopper --action payments.create --amount 25 --currency EUR`;
