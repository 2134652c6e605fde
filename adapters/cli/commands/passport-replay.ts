import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidArgumentError, Option } from 'commander';
import type { PassportPatch } from '../../../src/client.ts';
import { replayOperations } from '../../../src/replay/operations.ts';
import type { PassportReplay, ReplayInput } from '../../../src/types.ts';
import { EXIT, usageError } from '../output/error.ts';
import { table } from '../output/table.ts';
import { accountCommand, inputOf } from './answering.ts';
import type { CliCommand } from './command.ts';
import { flagsOf } from './operation-flags.ts';
import { AGENT_ID, CHANGEABLE, PATCH_OPTIONS, type PatchFlags, patchOf } from './passport-fields.ts';

interface ReplayOptions extends PatchFlags {
  readonly url?: string;
  readonly patch?: string;
  readonly rules?: string;
  readonly failOn?: readonly ('denied' | 'allowed' | 'unknown')[];
}

export const passportReplayCommand: CliCommand = accountCommand({
  name: 'replay',
  summary: 'evaluate recorded intents again with a changed passport',
  arguments: AGENT_ID,
  fields: flagsOf(replayOperations.operations.replay, {
    from: '<instant> replay only verdicts at or after this RFC 3339 instant (default: 30 days ago)',
    to: '<instant> replay only verdicts before this RFC 3339 instant',
    environment: '<environment> replay only verdicts for API keys of this environment (default: live)',
    passport:
      '<which> versions of the passport and its parents to replay with; `current` uses the present versions (default), and `recorded`, which allows no patch, uses the versions at the time of each verdict',
    examples: new Option(
      '--examples <number>',
      'the most examples to print of each kind of changed verdict, 0 to 100 (default: 20); --fail-on lists the kinds',
    ).argParser(readExamples),
  }),
  options: [
    new Option(
      '--patch <file>',
      'file with a JSON Merge Patch, or - for stdin, which changes the passport in the replay only; a flag, such as --currency, overrides this field of the file',
    ),
    ...Object.values(CHANGEABLE),
    ...PATCH_OPTIONS,
    new Option(
      '--rules <module>',
      'path of a JavaScript module whose export `rules`, or default export, is your list of rules; needs --storage',
    ),
    new Option(
      '--fail-on <kind...>',
      'kinds of changed verdict for which the command exits with 1; `denied` is an ALLOW that becomes a DENY, and `allowed` is a DENY that becomes an ALLOW; `unknown` is a verdict that the command cannot compute again, for a cause that it prints',
    ).choices(['denied', 'allowed', 'unknown']),
  ],
  examples: [
    'agent-identity passport replay did:web:example.com:agents:shopper',
    `echo '{ "monetary_limit_per_txn": 50 }' | agent-identity passport replay did:web:example.com:agents:shopper \\
      --patch - --fail-on denied`,
    'agent-identity passport replay did:web:example.com:agents:shopper --monetary-limit-per-txn 50',
  ],
  async prepare(input, options: ReplayOptions) {
    const { patch: file, rules, url } = options;
    if (rules !== undefined && url !== undefined)
      throw usageError('--rules goes with --storage: a service at a URL judges by its own rules.');
    const patch = await patchOf(inputOf(CHANGEABLE, { ...options }), options, file);
    const isGiven = file !== undefined || Object.keys(patch).length > 0;
    return isGiven ? { ...input, patch: patch as PassportPatch } : input;
  },
  async call({ passports }, { agent_id }, input: ReplayInput, { rules }: ReplayOptions) {
    return passports.replay(agent_id, input, rules === undefined ? {} : ((await readRules(rules)) as object));
  },
  text: replayText,
  exitCode(answer, { failOn = [] }: ReplayOptions) {
    const counts = { denied: answer.now_denied, allowed: answer.now_allowed, unknown: unknownOf(answer) };
    return failOn.some((kind) => counts[kind] > 0) ? EXIT.failure : 0;
  },
});

function readExamples(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 0 to 100.');
}

async function readRules(rules: string): Promise<{ readonly rules: unknown }> {
  const module: { readonly rules?: unknown; readonly default?: unknown } = await import(
    pathToFileURL(resolve(rules)).href
  ).catch((cause: unknown) => {
    throw usageError(`The module ${rules} cannot be loaded. Check its path and its imports.`, cause);
  });
  return { rules: module.rules ?? module.default };
}

function unknownOf({ unknown }: PassportReplay): number {
  return Object.values(unknown).reduce((sum, count) => sum + count, 0);
}

function replayText(answer: PassportReplay): string {
  const { change, covered, judged, unchanged, now_denied, now_allowed, by_change, reasons, used, dropped } =
    answer;
  const { allowed_actions, allowed_targets } = used.unused;
  const unusedNames = [...allowed_actions, ...allowed_targets];
  const lines = [
    ...(change === null ? [] : [`The change is ${change.result}.`]),
    `${judged} verdicts from ${covered.from} to ${covered.to}: ${unchanged} as before, ${now_denied} now denied, ${now_allowed} now allowed, ${unknownOf(answer)} unknown.`,
    ...(change === null
      ? []
      : [`The change alone denies ${by_change.now_denied} and allows ${by_change.now_allowed}.`]),
    ...(covered.complete ? [] : ['Older verdicts of this time are missing.']),
    ...(dropped === 0 ? [] : [`${dropped} verdicts of the account in this time were lost.`]),
    ...(unusedNames.length === 0 ? [] : [`Not used: ${unusedNames.join(', ')}.`]),
  ];
  const counts = [
    ...reasons.map(({ code, count }) => ['now denied', code, `${count}`]),
    ...Object.entries(answer.unknown).map(([code, count]) => ['unknown', code, `${count}`]),
  ];
  if (counts.length > 0) lines.push('', table([['VERDICT', 'CODE', 'COUNT'], ...counts]));
  const examples = answer.examples.map(({ record, verdict, reasons, unknown }) => [
    record.evaluated_at,
    record.decision_id,
    record.action,
    `${record.verdict} -> ${verdict ?? 'unknown'}`,
    unknown ?? reasons.map(({ code }) => code).join(' '),
  ]);
  if (examples.length > 0)
    lines.push('', table([['EVALUATED', 'DECISION', 'ACTION', 'VERDICT', 'WHY'], ...examples]));
  return lines.join('\n');
}
