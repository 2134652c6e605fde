import { createRequire } from 'node:module';
import { Command } from 'commander';
import { addAccountCommands } from './commands/account.ts';
import { addAgentKeyCommands } from './commands/agent-key.ts';
import { addAnalyticsCommand } from './commands/analytics.ts';
import { addApprovalCommands } from './commands/approval.ts';
import { addBenchCommand } from './commands/bench.ts';
import { addDecideCommand } from './commands/decide.ts';
import { addDidCommands } from './commands/did.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addDomainCommands } from './commands/domain.ts';
import { addEventsCommands } from './commands/events.ts';
import { addIntentCommands } from './commands/intent.ts';
import { addJournalCommands } from './commands/journal.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMcpGuardCommand } from './commands/mcp-guard.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOpenApiCommand } from './commands/openapi.ts';
import { addPassportCommands } from './commands/passport.ts';
import { addReferenceCommand } from './commands/reference.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSigningKeyCommands } from './commands/signing-key.ts';
import { addSpendCommands } from './commands/spend.ts';
import { addSubjectCommands } from './commands/subject.ts';
import { addVerificationsCommand } from './commands/verifications.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { addWebhookCommands } from './commands/webhook.ts';
import { quiet, runArguments, runProcess } from './run.ts';

const { version }: { version: string } = createRequire(import.meta.url)(
  'agent-identity-service/package.json',
);

/** The command with all its verbs. It throws a `CommanderError` or an `IdentityError`. */
export function createProgram(): Command {
  const program = quiet(new Command('agent-identity'))
    .description('Passports for software agents, and a verdict on what they are about to do.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', AFTER);
  addServeCommand(program, version);
  addVerifyCommand(program);
  addDecideCommand(program);
  addPassportCommands(program);
  addKeyCommands(program);
  addSpendCommands(program);
  addWebhookCommands(program);
  addApprovalCommands(program);
  addSubjectCommands(program);
  addAccountCommands(program);
  addAgentKeyCommands(program);
  addIntentCommands(program);
  addDomainCommands(program);
  addDidCommands(program);
  addSigningKeyCommands(program);
  addVerificationsCommand(program);
  addJournalCommands(program);
  addEventsCommands(program);
  addAnalyticsCommand(program);
  addMcpGuardCommand(program);
  addMigrateCommand(program);
  addBenchCommand(program, version);
  addDoctorCommand(program, version);
  addOpenApiCommand(program);
  addReferenceCommand(program);
  return program;
}

/** Runs the command line of this process. */
export function runProgram(): void {
  runProcess(createProgram);
}

/** Runs the arguments; an error is printed on stderr, and sets the exit code of the process. */
export function runCommand(args: readonly string[]): Promise<void> {
  return runArguments(args, createProgram);
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
