import { createRequire } from 'node:module';
import { Command } from 'commander';
import { accountVerbs } from './commands/account.ts';
import { agentKeyVerbs } from './commands/agent-key.ts';
import { analyticsVerb } from './commands/analytics.ts';
import { applyVerb } from './commands/apply.ts';
import { approvalVerbs } from './commands/approval.ts';
import { auditVerb } from './commands/audit.ts';
import { benchVerb } from './commands/bench.ts';
import { decideVerb } from './commands/decide.ts';
import { didVerbs } from './commands/did.ts';
import { doctorVerb } from './commands/doctor.ts';
import { domainVerbs } from './commands/domain.ts';
import { eventVerbs } from './commands/events.ts';
import { exportVerb } from './commands/export.ts';
import { hookVerb, hookVerbs } from './commands/hook.ts';
import { intentVerbs } from './commands/intent.ts';
import { inventoryVerb } from './commands/inventory.ts';
import { journalVerbs } from './commands/journal.ts';
import { keyVerbs } from './commands/key.ts';
import { logVerbs } from './commands/log.ts';
import { mcpVerb } from './commands/mcp.ts';
import { mcpGuardVerb } from './commands/mcp-guard.ts';
import { memberVerbs } from './commands/member.ts';
import { migrateVerb } from './commands/migrate.ts';
import { openApiVerb } from './commands/openapi.ts';
import { passportVerbs } from './commands/passport.ts';
import { receiptVerbs } from './commands/receipt.ts';
import { referenceVerb } from './commands/reference.ts';
import { serveVerb } from './commands/serve.ts';
import { signingKeyVerbs } from './commands/signing-key.ts';
import { spendVerbs } from './commands/spend.ts';
import { subjectVerbs } from './commands/subject.ts';
import { tokenVerbs } from './commands/token.ts';
import { addVerbs, type Verb, type VerbGroup } from './commands/verb.ts';
import { verificationsVerb } from './commands/verifications.ts';
import { verifierVerb } from './commands/verifier.ts';
import { verifyVerb } from './commands/verify.ts';
import { webhookVerbs } from './commands/webhook.ts';
import { whyDeniedVerb } from './commands/why-denied.ts';
import { quiet, runArguments, runProcess } from './run.ts';

const { version }: { version: string } = createRequire(import.meta.url)(
  'agent-identity-service/package.json',
);

const VERBS: readonly (Verb | VerbGroup)[] = [
  ...[serveVerb(version), verifyVerb, decideVerb],
  ...[
    passportVerbs,
    applyVerb,
    exportVerb,
    keyVerbs,
    spendVerbs,
    inventoryVerb,
    webhookVerbs,
    approvalVerbs,
    subjectVerbs,
    memberVerbs,
    accountVerbs,
  ],
  ...[agentKeyVerbs, intentVerbs, tokenVerbs, domainVerbs, didVerbs, signingKeyVerbs],
  ...[verificationsVerb, whyDeniedVerb, auditVerb, receiptVerbs],
  ...[journalVerbs, logVerbs, eventVerbs, analyticsVerb],
  ...[
    verifierVerb(version),
    mcpVerb(version),
    mcpGuardVerb,
    hookVerb,
    hookVerbs,
    migrateVerb,
    benchVerb(version),
    doctorVerb(version),
    openApiVerb,
    referenceVerb,
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
  for (const verb of VERBS) addVerbs(program, verb);
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
