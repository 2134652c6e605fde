import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PassportPatch, PassportReplay, ReplayInput } from '../../../src/types.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { readJsonFile } from '../input/text-file.ts';
import { EXIT, usageError } from '../output/error.ts';
import { table } from '../output/table.ts';
import { print, printJson } from '../output/terminal.ts';

interface ReplayOptions
  extends BackendOptions,
    Pick<ReplayInput, 'from' | 'to' | 'environment' | 'passport'> {
  readonly patch?: string;
  readonly rules?: string;
  readonly examples?: number;
  readonly failOn?: readonly ('denied' | 'allowed' | 'unknown')[];
}

/** Adds `replay` to `passport`. */
export function addReplayCommand(passport: Command): void {
  const replay = passport
    .command('replay')
    .description('judge recorded verdicts again: what a change would have denied or allowed')
    .argument('<agent_id>', 'did:web:<domain>:agents:<agent_name>')
    .option('--patch <file>', 'a JSON Merge Patch to judge by, which is not stored, - for stdin')
    .option(
      '--rules <module>',
      'with --storage: a module with the rules to judge by, as `rules` or by default',
    )
    .option('--from <instant>', 'only verdicts from then on; by default those of the last 30 days')
    .option('--to <instant>', 'only verdicts before that')
    .addOption(new Option('--environment <environment>', 'default live').choices(['live', 'test']))
    .addOption(
      new Option('--passport <which>', 'the passports as they are, or as each record names them').choices([
        'current',
        'recorded',
      ]),
    )
    .addOption(new Option('--examples <number>', 'the most examples of each kind').argParser(readExamples))
    .addOption(
      new Option('--fail-on <kind...>', 'exit with 1 when there are any').choices([
        'denied',
        'allowed',
        'unknown',
      ]),
    );
  addBackendOptions(replay, 'manage')
    .addHelpText('after', EXAMPLES)
    .action(async (agentId: string, options: ReplayOptions, command: Command) => {
      const { from, to, environment, passport: which, examples, failOn = [] } = options;
      const patch = options.patch === undefined ? undefined : await readJsonFile(options.patch);
      const rules = await readRules(options);
      const input: ReplayInput = {
        ...(patch !== undefined && { patch: patch as PassportPatch }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(environment !== undefined && { environment }),
        ...(which !== undefined && { passport: which }),
        ...(examples !== undefined && { examples }),
      };
      const answer = await withBackend(command, 'manage', (backend) =>
        backend.passports.replay(agentId, input, rules === undefined ? {} : (rules as object)),
      );
      if (options.json) printJson(answer);
      else print(replayText(answer));
      const counts = { denied: answer.now_denied, allowed: answer.now_allowed, unknown: unknownOf(answer) };
      if (failOn.some((kind) => counts[kind] > 0)) process.exitCode = EXIT.failure;
    });
}

function readExamples(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 0 to 100.');
}

/** Loads the rules of the host, which only a service in this process can ask. */
async function readRules({ rules, url }: ReplayOptions): Promise<{ readonly rules: unknown } | undefined> {
  if (rules === undefined) return undefined;
  if (url !== undefined)
    throw usageError('--rules goes with --storage: a service at a URL judges by its own rules.');
  const module: { readonly rules?: unknown; readonly default?: unknown } = await import(
    pathToFileURL(resolve(rules)).href
  ).catch((cause: unknown) => {
    throw usageError(`The module ${rules} cannot be loaded.`, cause);
  });
  return { rules: module.rules ?? module.default };
}

function unknownOf({ unknown }: PassportReplay): number {
  return Object.values(unknown).reduce((sum, count) => sum + count, 0);
}

/** Says in words what a replay found. */
function replayText(answer: PassportReplay): string {
  const { change, covered, judged, unchanged, now_denied, now_allowed, by_change, reasons, used, dropped } =
    answer;
  const { allowed_actions, allowed_targets } = used.unused;
  const unused = [...allowed_actions, ...allowed_targets];
  const lines = [
    ...(change === null ? [] : [`The change is ${change.result}.`]),
    `${judged} verdicts from ${covered.from} to ${covered.to}: ${unchanged} as before, ${now_denied} now denied, ${now_allowed} now allowed, ${unknownOf(answer)} cannot be told.`,
    ...(change === null
      ? []
      : [`The change alone denies ${by_change.now_denied} and allows ${by_change.now_allowed}.`]),
    ...(covered.complete ? [] : ['Older verdicts of this time are missing.']),
    ...(dropped === 0 ? [] : [`${dropped} verdicts of the account in this time were lost.`]),
    ...(unused.length === 0 ? [] : [`Not used: ${unused.join(', ')}.`]),
  ];
  const counts = [
    ...reasons.map(({ code, count }) => ['now denied', code, `${count}`]),
    ...Object.entries(answer.unknown).map(([code, count]) => ['unknown', code, `${count}`]),
  ];
  if (counts.length > 0) lines.push('', table([['VERDICT', 'CODE', 'COUNT'], ...counts]));
  const examples = answer.examples.map(({ record, verdict, reasons: found, unknown }) => [
    record.evaluated_at,
    record.decision_id,
    record.action,
    `${record.verdict} -> ${verdict ?? 'unknown'}`,
    unknown ?? found.map(({ code }) => code).join(' '),
  ]);
  if (examples.length > 0)
    lines.push('', table([['EVALUATED', 'DECISION', 'ACTION', 'VERDICT', 'WHY'], ...examples]));
  return lines.join('\n');
}

const EXAMPLES = `
Examples:
  $ agent-identity passport replay did:web:example.com:agents:shopper
  $ echo '{ "monetary_limit_per_txn": 50 }' | agent-identity passport replay did:web:example.com:agents:shopper \\
      --patch - --fail-on denied`;
