import { InvalidArgumentError, Option } from 'commander';
import { makePlan, type Plan, type Step } from '../apply/plan.ts';
import { readDeclared } from '../apply/read-declared.ts';
import { replayChanges } from '../apply/replay-changes.ts';
import { runPlan } from '../apply/run-plan.ts';
import { outcomeText, planRecord, planText } from '../apply/show-plan.ts';
import { accountOptions, jsonOption, withBackend } from '../backend/backend.ts';
import type { Backend, BackendOptions } from '../backend/methods.ts';
import { allowsLocalhost } from '../backend/operator.ts';
import { patient } from '../backend/patience.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { EXIT, usageError } from '../output/error.ts';
import { print, printError, printJson } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';
import { setName } from './export.ts';

interface ApplyOptions extends BackendOptions {
  readonly set?: string;
  readonly takeOver?: boolean;
  readonly dryRun?: boolean;
  readonly replay?: number;
  readonly prune?: boolean;
  readonly pruneLimit?: number;
  readonly failOn?: readonly FailOn[];
  readonly wait?: number;
}

const FAIL_ON = ['wider', 'denied'] as const;
type FailOn = (typeof FAIL_ON)[number];

const PRUNE_LIMIT = 10;

export const applyCommand: CliCommand = {
  name: 'apply',
  summary: 'create and change passports to match the files of a folder',
  arguments: { path: 'folder or file; each *.json, *.yaml or *.yml file has the fields of one passport' },
  options: [
    new Option('--dry-run', 'print the plan, and write nothing'),
    new Option(
      '--set <name>',
      'name of the set of passports that these files describe; the command stores the name as managed_by in each passport, and --prune finds the set by it',
    ).argParser(setName),
    new Option('--take-over', 'also change passports of another set; needs --set'),
    new Option(
      '--replay <days>',
      'number of days; for each change, the plan also shows which verdicts of these last days would be different',
    ).argParser(wholeNumber(1, 90)),
    new Option(
      '--prune',
      'suspend passports of the set that no longer have a file; with a file again, `apply` reinstates them; needs --set',
    ),
    new Option(
      '--prune-limit <number>',
      `the most agents that --prune may suspend, child agents included; with more agents, the command writes nothing (default: ${PRUNE_LIMIT})`,
    ).argParser(wholeNumber(0, 10_000)),
    new Option(
      '--fail-on <kinds>',
      'kinds of change, separated by commas, for which the command writes nothing and exits with 1; `wider` is a change that allows more intents, and `denied` is a change that would deny an allowed intent from the days of --replay',
    ).argParser(failOn),
    new Option(
      '--wait <seconds>',
      'seconds to wait until people approve a change, at most 3600; without the approval, the command then exits with 5',
    ).argParser(wholeNumber(1, 3_600)),
    ...accountOptions(),
    jsonOption(),
  ],
  notes: `The command checks all files before the first request. Before the first write, the command makes a plan,
which is the list of all changes. A file describes the whole passport. The command removes each field that the file does
not name. A second run changes nothing if the first run was complete, and otherwise continues the first run. If a change
needs an approval, run the same command again after another person approves the change.

Exit codes:
  0  everything is done, or nothing had to change
  1  a change failed, or is blocked because the passport is revoked, has another parent or belongs to another set;
     or --fail-on or --prune-limit stopped the run before it wrote anything
  2  wrong usage, or a file with an error: nothing was written
  4  --dry-run found changes
  5  a change waits for an approval; all other changes are done`,
  examples: [
    'agent-identity apply ./agents --set prod --dry-run --replay 7 --url https://id.example.com/api',
    'agent-identity apply ./agents --set prod --prune --url https://id.example.com/api',
  ],
  async run({ path }: { readonly path: string }, options: ApplyOptions, command) {
    checkOptions(options);
    const allowLocalhost = options.url !== undefined || allowsLocalhost();
    const generations = await readDeclared(path, { allowLocalhost });
    await withBackend(command, async (openedBackend) => {
      const backend = patientBackend(openedBackend);
      const { set, takeOver = false, prune = false, replay } = options;
      const plan = await makePlan(backend, generations, { set, takeOver, prune });
      if (replay !== undefined) await replayChanges(backend, plan.steps, replay);
      await runOrStop(backend, plan, options);
    });
  },
};

function checkOptions({ set, takeOver, prune, pruneLimit, failOn: kinds = [], replay }: ApplyOptions): void {
  if (takeOver && set === undefined) throw usageError('--take-over goes with --set.');
  if (prune && set === undefined) throw usageError('--prune goes with --set.');
  if (pruneLimit !== undefined && !prune) throw usageError('--prune-limit goes with --prune.');
  if (kinds.includes('denied') && replay === undefined)
    throw usageError('--fail-on denied goes with --replay.');
}

async function runOrStop(backend: Backend, { steps, pruned }: Plan, options: ApplyOptions): Promise<void> {
  const {
    json = false,
    dryRun = false,
    set,
    wait = 0,
    pruneLimit = PRUNE_LIMIT,
    failOn: kinds = [],
  } = options;
  if (!json) print(planText(steps));
  const obstacle = pruned > pruneLimit ? tooMany(pruned, pruneLimit) : failing(steps, kinds);
  const isRun = !dryRun && obstacle === undefined;
  if (isRun) await runPlan(backend, steps, { set, waitSeconds: wait });
  if (json) printJson(planRecord(steps));
  else if (isRun) print(outcomeText(steps));
  if (obstacle !== undefined) printError(`agent-identity: ${obstacle} Nothing was written.`);
  process.exitCode = obstacle === undefined ? exitCodeOf(steps, dryRun) : EXIT.failure;
}

function tooMany(prunedCount: number, limit: number): string {
  return `--prune would stop ${prunedCount} agents, those below included, and --prune-limit is ${limit}.`;
}

/**
 * Returns why `--fail-on` stops the run. A change is wider if the new passport allows an intent that the old
 * passport denies. A passport that is created or reinstated also counts as wider.
 */
function failing(steps: readonly Step[], kinds: readonly FailOn[]): string | undefined {
  const isWider = ({ comparison }: Step): boolean =>
    comparison?.result === 'wider' || comparison?.result === 'crossing';
  const wider = kinds.includes('wider') ? steps.filter(isWider).length : 0;
  if (wider > 0) return `${wider} changes let more happen, and --fail-on names wider.`;
  const deniedCount = kinds.includes('denied')
    ? steps.filter(({ replay }) => (replay?.now_denied ?? 0) > 0).length
    : 0;
  return deniedCount > 0
    ? `${deniedCount} changes deny recorded verdicts, and --fail-on names denied.`
    : undefined;
}

function exitCodeOf(steps: readonly Step[], dryRun: boolean): number {
  const has = (status: Step['status']): boolean => steps.some((step) => step.status === status);
  if (has('failed') || has('skipped')) return EXIT.failure;
  if (has('waits')) return EXIT.waits;
  return dryRun && steps.some(({ action }) => action !== 'unchanged') ? EXIT.drift : 0;
}

function patientBackend(backend: Backend): Backend {
  const { passports, suspend, reinstate } = backend;
  return {
    ...backend,
    passports: patient(passports, ['get', 'list', 'create', 'update', 'replay']),
    ...patient({ suspend, reinstate }, ['suspend', 'reinstate']),
  };
}

function failOn(text: string): readonly FailOn[] {
  return text.split(',').map((word) => {
    const kind = FAIL_ON.find((kind) => kind === word);
    if (kind === undefined) throw new InvalidArgumentError(`It takes a list of ${FAIL_ON.join(', ')}.`);
    return kind;
  });
}
