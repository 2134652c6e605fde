import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Passport } from '../../../src/index.ts';
import {
  type Comparison,
  type ComparisonResult,
  compareFields,
  differenceSentence,
} from '../../../src/verdict/compare/index.ts';
import { decide } from '../../../src/verdict/index.ts';
import { accountOptions, withBackend } from '../backend/backend.ts';
import type { Backend } from '../backend/methods.ts';
import { nameOf, readJsonFile } from '../input/text-file.ts';
import { EXIT, usageError } from '../output/error.ts';
import { visible } from '../output/terminal.ts';
import { answerCommand } from './answering.ts';
import type { CliCommand } from './command.ts';

interface DiffOptions {
  readonly failOn?: readonly ComparisonResult[];
}

const PLACE =
  'passport to compare; a path names a JSON file, - means stdin, <agent_id> means the current version in the service, and <agent_id>@<version> means another version';

export const passportDiffCommand: CliCommand = answerCommand({
  name: 'diff',
  summary: 'compare what two passports or two versions allow',
  arguments: { before: PLACE, after: PLACE },
  options: [
    new Option(
      '--fail-on <results>',
      'results, separated by commas, for which the command exits with 1 (see Results)',
    ).argParser(resultsIn),
    ...accountOptions(),
  ],
  notes: `Results:
  equal     both passports allow the same intents
  narrower  the second passport allows fewer intents
  wider     the second passport allows more intents
  crossing  each passport allows some intents that the other denies

Exit codes:
  0  the result is not in --fail-on
  1  the result is in --fail-on; wider in --fail-on also covers crossing, which allows some more intents
  2  wrong usage or input`,
  examples: [
    'agent-identity passport diff did:web:example.com:agents:shopper@3 did:web:example.com:agents:shopper',
    'agent-identity passport diff passport.json changed.json --fail-on wider',
  ],
  call: async (command, { before, after }) => compareFields(...(await readBoth(command, before, after))),
  text: (change) => linesOf(change).join('\n'),
  exitCode: ({ result }, { failOn }: DiffOptions) => (failOn?.includes(result) ? EXIT.failure : 0),
});

const RESULTS: Readonly<Record<ComparisonResult, readonly ComparisonResult[]>> = {
  equal: ['equal'],
  narrower: ['narrower'],
  wider: ['wider', 'crossing'],
  crossing: ['crossing'],
};

function resultsIn(text: string): readonly ComparisonResult[] {
  return text.split(',').flatMap((word) => {
    if (!Object.hasOwn(RESULTS, word)) {
      throw new InvalidArgumentError(`It takes a list of ${Object.keys(RESULTS).join(', ')}.`);
    }
    return RESULTS[word as ComparisonResult];
  });
}

function linesOf({ result, wider, narrower }: Comparison): readonly string[] {
  return [
    result,
    ...wider.map((difference) => visible(`  + ${differenceSentence(difference, 'wider')}`)),
    ...narrower.map((difference) => visible(`  - ${differenceSentence(difference, 'narrower')}`)),
  ];
}

async function readBoth(
  command: Command,
  ...names: readonly [string, string]
): Promise<readonly [Passport, Passport]> {
  if (names[0] === '-' && names[1] === '-')
    throw usageError('Only one of the passports can be stdin. Name a file for the other.');
  const read = async (
    readStored: (name: string) => Promise<Passport>,
  ): Promise<readonly [Passport, Passport]> => [
    await (isStored(names[0]) ? readStored(names[0]) : passportIn(names[0])),
    await (isStored(names[1]) ? readStored(names[1]) : passportIn(names[1])),
  ];
  const foundPassports = names.some(isStored)
    ? await withBackend(command, (backend) => read((name) => storedPassport(backend, name)))
    : await read(async (name) => passportIn(name));
  const agent_id = foundPassports[0].agent_id ?? foundPassports[1].agent_id ?? AGENT;
  const withName = (passport: Passport): Passport =>
    passport.agent_id === undefined ? { ...passport, agent_id } : passport;
  return [withName(foundPassports[0]), withName(foundPassports[1])];
}

const AGENT = 'did:web:agent.example:agents:agent';

function isStored(name: string): boolean {
  return name.startsWith('did:');
}

/** Reads the passport in a file. An unreadable passport is refused, because it would look as if it allowed nothing. */
async function passportIn(file: string): Promise<Passport> {
  const read = await readJsonFile(file);
  const passport = { agent_id: AGENT, ...read, status: 'active', suspended_until: null, revoked_at: null };
  const question = { passport: passport as unknown as Passport, at: 0 };
  const { reasons } = decide({ ...question, intent: { agent_id: String(passport.agent_id), action: 'a' } });
  if (reasons.some(({ code }) => code === 'rule_failed' || code === 'agent_not_found')) {
    throw usageError(`${nameOf(file)} is not a passport: one of its fields cannot be read.`);
  }
  return { ...read, status: 'active' } as unknown as Passport;
}

/**
 * Reads a passport of the service. The name is an agent id, or `<agent_id>@<version>` for one version of the passport.
 */
async function storedPassport({ passports }: Pick<Backend, 'passports'>, name: string): Promise<Passport> {
  const [, agentId = name, version] = /^(.*)@([1-9]\d*)$/.exec(name) ?? [];
  if (version === undefined) return passports.get(agentId);
  for await (const { data } of passports.versions(agentId)) {
    const foundVersion = data.find((entry) => entry.version === Number(version));
    if (foundVersion !== undefined) return foundVersion;
  }
  throw usageError(`${agentId} has no version ${version}. See: agent-identity passport versions ${agentId}`);
}
