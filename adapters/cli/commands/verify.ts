import type { Command } from 'commander';
import type { Intent } from '../../../src/index.ts';
import { addBackendOptions, withVerifier } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { readJsonFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';
import { outputVerdict } from '../output/verdict.ts';

interface VerifyOptions extends BackendOptions {
  readonly agent?: string;
  readonly action?: string;
  readonly target?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly dryRun?: boolean;
  readonly approval?: string;
  readonly holdSeconds?: string;
  readonly idempotencyKey?: string;
}

/** Adds `verify`: asks the service, or the storage itself, for a verdict. */
export function addVerifyCommand(program: Command): void {
  const verify = program
    .command('verify')
    .description('ask for a verdict: ALLOW or DENY (exit code 0 or 3)')
    .argument('[file]', 'a JSON file with the intent, - for stdin; flags win')
    .option('--agent <agent_id>', 'did:web:<domain>:agents:<agent_name>')
    .option('--action <action>', 'what the agent is about to do')
    .option('--target <did>', 'the DID that the action is aimed at')
    .option('--amount <decimal>', 'parameters.amount, exact')
    .option('--currency <code>', 'parameters.currency, ISO 4217')
    .option('--dry-run', 'ask without acting')
    .option('--approval <id>', 'the approval of exactly this intent, apr_…')
    .option('--hold-seconds <number>', 'only reserve, until it is committed or released: 1 to 604800')
    .option(
      '--idempotency-key <key>',
      'for 24 hours the same intent under it gets the same ALLOW, and spends once',
    );
  addBackendOptions(verify, 'verify')
    .addHelpText('after', AFTER)
    .action(async (file: string | undefined, options: VerifyOptions, command: Command) => {
      assertAgentId(options.agent);
      const intent = merged(file === undefined ? {} : await readJsonFile(file), options);
      const { idempotencyKey } = options;
      const record = await withVerifier(command, ({ verify }) =>
        verify(intent, idempotencyKey === undefined ? {} : { idempotencyKey }),
      );
      outputVerdict(record, options);
    });
}

/** A name alone is the agent of no passport: the answer would only be that it is not found. */
function assertAgentId(agent: string | undefined): void {
  if (agent === undefined || agent.startsWith('did:')) return;
  throw usageError('--agent is the id of a passport, a DID such as did:web:example.com:agents:shopper.');
}

/** The service checks it, and names every field that is wrong. */
function merged(read: Readonly<Record<string, unknown>>, options: VerifyOptions): Intent {
  const { agent: agent_id, action, target, amount, currency, dryRun: dry_run } = options;
  const { approval: approval_id, holdSeconds } = options;
  const parameters = {
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
  };
  const given = read['parameters'] ?? {};
  const hasParameters = Object.keys(parameters).length > 0;
  return {
    ...read,
    ...(agent_id !== undefined && { agent_id }),
    ...(action !== undefined && { action }),
    ...(target !== undefined && { target }),
    ...(hasParameters && isRecord(given) && { parameters: { ...given, ...parameters } }),
    ...(dry_run && { dry_run }),
    ...(approval_id !== undefined && { approval_id }),
    ...(holdSeconds !== undefined && { hold_seconds: numberOf(holdSeconds) }),
  } as Intent;
}

/** The service refuses a text that is not a number. */
function numberOf(text: string): number | string {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : text;
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const AFTER = `
With --url the API key is read from AGENT_IDENTITY_API_KEY.

Exit codes:
  0  ALLOW
  1  no verdict: refused, or out of reach
  2  wrong usage or input
  3  DENY

Examples:
  $ agent-identity verify intent.json
  $ agent-identity verify --agent did:web:example.com:agents:shopper --action payments.create \\
      --amount 25 --currency EUR --url http://localhost:3000/api`;
