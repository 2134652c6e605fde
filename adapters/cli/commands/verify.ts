import { Argument, Option } from 'commander';
import type { Intent } from '../../../src/index.ts';
import type { IntentUsage } from '../../../src/types.ts';
import { jsonOption, verifierOptions, withVerifier } from '../backend/backend.ts';
import { readJsonFile } from '../input/text-file.ts';
import { numberOf } from '../input/whole-number.ts';
import { outputVerdict, usageError } from '../output/error.ts';
import { inputOf } from './answering.ts';
import type { CliCommand, FieldOptions } from './command.ts';

interface VerifyOptions {
  readonly agent?: string;
  readonly idempotencyKey?: string;
  readonly json?: boolean;
}

const FIELDS: FieldOptions<Intent> = {
  agent_id: new Option(
    '--agent <agent_id>',
    'id of the agent, in the form did:web:<domain>:agents:<agent_name>',
  ),
  action: new Option('--action <action>', 'action that the agent asks to take'),
  target: new Option('--target <did>', 'DID of the target of the action'),
  dry_run: new Option('--dry-run', 'get the verdict as a dry run, which spends nothing'),
  approval_id: new Option(
    '--approval <id>',
    'id of an approval that people gave for exactly this intent; the id begins with apr_',
  ),
  hold_seconds: new Option(
    '--hold-seconds <number>',
    'hold the amount instead of spending it, for 1 to 604800 seconds',
  ).argParser(numberOf),
};

const PARAMETERS = {
  amount: new Option('--amount <decimal>', 'amount of the action (parameters.amount), as an exact decimal'),
  currency: new Option(
    '--currency <code>',
    'currency of the amount (parameters.currency), as an ISO 4217 code',
  ),
};

export const USAGE: FieldOptions<IntentUsage> = {
  tokens: new Option('--tokens <number>', 'whole number of tokens that the action uses (usage.tokens)'),
  credits: new Option(
    '--credits <decimal>',
    'exact decimal number of credits, a unit that you define, that the action uses (usage.credits)',
  ),
};

export const verifyCommand: CliCommand = {
  name: 'verify',
  summary: 'get a verdict on an intent',
  arguments: {
    file: new Argument(
      '[file]',
      'JSON file with the intent, or - for stdin; a flag, such as --amount, overrides this field of the file',
    ),
  },
  options: [
    ...Object.values(FIELDS),
    ...Object.values(PARAMETERS),
    ...Object.values(USAGE),
    new Option(
      '--idempotency-key <key>',
      'key that you choose; if you repeat the same intent with the same key within 24 hours, you get the same ALLOW, and the amount is spent only once',
    ),
    ...verifierOptions(),
    jsonOption(),
  ],
  notes: `With --url the API key is read from AGENT_IDENTITY_API_KEY.

Exit codes:
  0  ALLOW
  1  no verdict, because the service refused the request, or the service or storage is out of reach
  2  wrong usage or input
  3  DENY`,
  examples: [
    'agent-identity verify intent.json',
    `agent-identity verify --agent did:web:example.com:agents:shopper --action payments.create \\
      --amount 25 --currency EUR --url http://localhost:3000/api`,
  ],
  async run({ file }: { readonly file?: string }, options: VerifyOptions, command) {
    assertAgentId(options.agent);
    const intent = merged(file === undefined ? {} : await readJsonFile(file), options);
    const onceOptions =
      options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey };
    outputVerdict(await withVerifier(command, ({ verify }) => verify(intent, onceOptions)), options);
  },
};

/**
 * Throws a usage error if `agent` is only a name. No passport has such an id, and the service would only answer
 * `agent_not_found`.
 */
function assertAgentId(agent: string | undefined): void {
  if (agent === undefined || agent.startsWith('did:')) return;
  throw usageError('--agent is the id of a passport, a DID such as did:web:example.com:agents:shopper.');
}

function merged(read: Readonly<Record<string, unknown>>, options: VerifyOptions): Intent {
  const parameters = inputOf(PARAMETERS, { ...options });
  const givenParameters = read['parameters'] ?? {};
  const hasParameters = Object.keys(parameters).length > 0;
  const usage = inputOf(USAGE, { ...options });
  const namedUsage = read['usage'] ?? {};
  const intent: object = {
    ...read,
    ...inputOf({ ...FIELDS }, { ...options }),
    ...(Object.keys(usage).length > 0 && isRecord(namedUsage) && { usage: { ...namedUsage, ...usage } }),
    ...(hasParameters && isRecord(givenParameters) && { parameters: { ...givenParameters, ...parameters } }),
  };
  return intent as Intent;
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
