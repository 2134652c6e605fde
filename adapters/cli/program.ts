import { createRequire } from 'node:module';
import { Command } from 'commander';
import { accountCommands } from './commands/account.ts';
import { agentKeyCommands } from './commands/agent-key.ts';
import { applyCommand } from './commands/apply.ts';
import { approvalCommands } from './commands/approval.ts';
import { auditCommand } from './commands/audit.ts';
import { benchCommand } from './commands/bench.ts';
import { addCommands, type CliCommand, type CommandGroup } from './commands/command.ts';
import { decideCommand } from './commands/decide.ts';
import { didCommands } from './commands/did.ts';
import { doctorCommand, migrateCommand } from './commands/doctor.ts';
import { domainCommands } from './commands/domain.ts';
import { eventCommands } from './commands/events.ts';
import { exportCommand } from './commands/export.ts';
import { hookCommand, hookCommands } from './commands/hook.ts';
import { intentCommands } from './commands/intent.ts';
import { inventoryCommand } from './commands/inventory.ts';
import { journalCommands } from './commands/journal.ts';
import { keyCommands } from './commands/key.ts';
import { logCommands } from './commands/log.ts';
import { mcpCommand } from './commands/mcp.ts';
import { mcpGuardCommand } from './commands/mcp-guard.ts';
import { memberCommands } from './commands/member.ts';
import { passportCommands } from './commands/passport.ts';
import { openApiCommand, referenceCommand } from './commands/reference.ts';
import { serveCommand } from './commands/serve.ts';
import { signingKeyCommands } from './commands/signing-key.ts';
import { spendCommands } from './commands/spend.ts';
import { subjectCommands } from './commands/subject.ts';
import { tokenCommands } from './commands/token.ts';
import { analyticsCommand, receiptCommands, verificationsCommand } from './commands/verifications.ts';
import { verifierCommand } from './commands/verifier.ts';
import { verifyCommand } from './commands/verify.ts';
import { webhookCommands } from './commands/webhook.ts';
import { whyDeniedCommand } from './commands/why-denied.ts';
import { quiet, runArguments, runProcess } from './run.ts';

const { version }: { version: string } = createRequire(import.meta.url)(
  'agent-identity-service/package.json',
);

/** Every command and group, in the order of the help. */
export const COMMANDS: readonly (CliCommand | CommandGroup)[] = [
  ...[serveCommand(version), verifyCommand, decideCommand],
  ...[
    passportCommands,
    applyCommand,
    exportCommand,
    keyCommands,
    spendCommands,
    inventoryCommand,
    webhookCommands,
    approvalCommands,
    subjectCommands,
    memberCommands,
    accountCommands,
  ],
  ...[agentKeyCommands, intentCommands, tokenCommands, domainCommands, didCommands, signingKeyCommands],
  ...[verificationsCommand, whyDeniedCommand, auditCommand, receiptCommands],
  ...[journalCommands, logCommands, eventCommands, analyticsCommand],
  ...[
    verifierCommand(version),
    mcpCommand(version),
    mcpGuardCommand,
    hookCommand,
    hookCommands,
    migrateCommand,
    benchCommand(version),
    doctorCommand(version),
    openApiCommand,
    referenceCommand,
  ],
];

export function createProgram(): Command {
  const program = quiet(new Command('agent-identity'))
    .description('Passports for software agents, and a verdict on what they are about to do.')
    // Options behind the name of a verb are of that verb, also where a verb has others below it.
    .enablePositionalOptions()
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', AFTER);
  for (const spec of COMMANDS) addCommands(program, spec);
  return program;
}

export function runProgram(): void {
  runProcess(createProgram);
}

export function runCommand(args: readonly string[]): Promise<void> {
  return runArguments(args, createProgram);
}

const AFTER = `
Exit codes:
  0  done, or the verdict is ALLOW
  1  failed, for example because the service refused the request, or because the service or storage is out of reach
  2  wrong usage, input or configuration
  3  the verdict is DENY

Examples:
  $ agent-identity serve
  $ agent-identity passport list --storage sqlite:./agent-identity.db
  $ agent-identity verify --agent did:web:example.com:agents:shopper --action payments.create --amount 25 --currency EUR`;
