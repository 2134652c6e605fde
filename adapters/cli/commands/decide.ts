import { Option } from 'commander';
import { createIdentityService, type Intent, type Passport, type PassportInput } from '../../../src/index.ts';
import { type AgentHistory, decide, type SpentBudgets } from '../../../src/verdict/index.ts';
import { memoryStorage } from '../../storage/memory/index.ts';
import { jsonOption } from '../backend/backend.ts';
import { inFile, readJsonFile } from '../input/text-file.ts';
import { outputVerdict, usageError } from '../output/error.ts';
import type { CliCommand } from './command.ts';

interface DecideOptions {
  readonly at?: string;
  readonly budgets?: string;
  readonly history?: string;
  readonly json?: boolean;
}

export const decideCommand: CliCommand = {
  name: 'decide',
  summary: 'evaluate an intent with a passport file, without a service',
  arguments: {
    passport: 'JSON file with the output of `passport show --json`, or - for stdin',
    intent: 'JSON file with an intent, or - for stdin',
  },
  options: [
    new Option('--at <instant>', 'RFC 3339 time for which to compute the verdict (default: now)'),
    new Option(
      '--budgets <file>',
      'JSON file, or - for stdin, with the used part of each budget, such as {"<agent_id>": {"<budget>": {"spent": "480.00"}}}; if the budget limits a number of actions, write {"count": 3} instead',
    ),
    new Option(
      '--history <file>',
      'JSON file, or - for stdin, with the RFC 3339 time from which each --pace or --order rule of the passport allows the intent, such as {"<agent_id>": {"<rule>": null}}; null means that the rule allows the intent now',
    ),
    jsonOption(),
  ],
  notes: `Exit codes:
  0  ALLOW
  2  wrong usage or input
  3  DENY`,
  examples: [
    'agent-identity passport show did:web:example.com:agents:shopper --json > passport.json',
    'agent-identity decide passport.json intent.json --at 2026-11-20T12:00:00Z',
    `echo '{"did:web:example.com:agents:shopper": {"day": {"spent": "480.00"}}}' |
      agent-identity decide passport.json intent.json --budgets -`,
  ],
  async run(files: { readonly passport: string; readonly intent: string }, options: DecideOptions) {
    const passport = await readPassport(files.passport);
    const intent = await readIntent(files.intent);
    const instant = options.at ?? new Date().toISOString();
    const budgets = options.budgets === undefined ? undefined : await readSpent(options.budgets, passport);
    const history = options.history === undefined ? undefined : await readHistory(options.history, passport);
    const verdict = decide({ passport, intent, at: instant, budgets, history });
    const unread = verdict.reasons.find(({ code }) => code === 'rule_failed')?.['rule'];
    if (unread === 'at') throw usageError('--at must be an RFC 3339 instant, like 2026-11-20T12:00:00Z');
    if (unread === 'passport') throw notPassport(files.passport);
    outputVerdict(verdict, options);
  },
};

const ADDED: Readonly<Record<Exclude<keyof Passport, keyof PassportInput | 'last_seen_at'>, true>> = {
  agent_id: true,
  status: true,
  version: true,
  created_at: true,
  updated_at: true,
  suspended_until: true,
  suspended_by: true,
  suspension_reason: true,
  revoked_at: true,
  revoked_by: true,
  revocation_reason: true,
};

/**
 * Reads the passport in a file. To find invalid fields, it issues the passport in a service that stores
 * everything in memory.
 */
async function readPassport(file: string): Promise<Passport> {
  const read = await readJsonFile(file);
  const missing = Object.keys(ADDED).filter((name) => !Object.hasOwn(read, name));
  if (missing.length > 0) throw notPassport(file, `it lacks ${missing.join(', ')}`);
  const decidedFields = Object.entries(read).filter(
    ([name]) => !Object.hasOwn(ADDED, name) && name !== 'last_seen_at',
  );
  const input = Object.fromEntries(decidedFields) as unknown as PassportInput;
  const service = createIdentityService({ storage: memoryStorage(), allowLocalhost: true });
  const { agent_id } = await inFile(file, () => service.passports.create(input));
  if (agent_id !== read['agent_id']) throw notPassport(file, `its agent_id should be ${agent_id}`);
  return read as unknown as Passport;
}

async function readIntent(file: string): Promise<Intent> {
  const intent = (await readJsonFile(file)) as unknown as Intent;
  await inFile(file, () => createIdentityService({ storage: memoryStorage() }).verify(intent));
  return intent;
}

/**
 * Reads the spent amounts from a file. A missing amount makes the verdict a DENY. The name of an unknown budget is a
 * usage error.
 */
async function readSpent(file: string, { agent_id, budgets = [] }: Passport): Promise<SpentBudgets> {
  const names = budgets.map(({ name, window }) => name ?? window);
  return (await readNamed(file, { agent_id, names, what: 'budget' })) as SpentBudgets;
}

/**
 * Reads the history of agents from a file. Throws a usage error for a name that is no pace or rule of order of the
 * passport.
 */
async function readHistory(
  file: string,
  { agent_id, pace = [], order = [] }: Passport,
): Promise<AgentHistory> {
  const names = [...pace, ...order].map(({ name }) => name ?? 'pace');
  return (await readNamed(file, { agent_id, names, what: 'pace or order' })) as AgentHistory;
}

/**
 * Reads an object of the form `{ [agent_id]: { [name]: … } }`. For the agent of the passport, only `names` are allowed.
 */
async function readNamed(
  file: string,
  {
    agent_id,
    names,
    what,
  }: { readonly agent_id: string; readonly names: readonly string[]; readonly what: string },
): Promise<Readonly<Record<string, unknown>>> {
  const read = await readJsonFile(file);
  const unknownName = Object.keys(Object(read[agent_id])).find((name) => !names.includes(name));
  if (unknownName === undefined) return read;
  const namesText = names.length === 0 ? 'none' : names.join(', ');
  throw usageError(`${file}: the passport has no ${what} ${unknownName}; it has ${namesText}.`);
}

function notPassport(file: string, why = 'its state cannot be read'): Error {
  return usageError(`${file} is not a passport as \`passport show --json\` prints it: ${why}.`);
}
