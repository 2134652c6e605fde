/**
 * Takes the reported outcomes of verdicts. An outcome changes no verdict, budget or spend, but a rule of order can
 * count it.
 */

import type { ReportsOn } from '../../base/async/outcome-reports.ts';
import { createBoundedMap } from '../../base/bounded-map.ts';
import { parseInstant } from '../../base/values/instant.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { describeCause, type FieldError, noSuch, refuseAny } from '../../errors.ts';
import type { OutcomeReport } from '../../journal-format/index.ts';
import type { Logger } from '../../ports/storage.ts';
import type { OutcomeInput, OutcomeList, OutcomesAccepted } from '../../records/outcome.ts';
import { checkCopy } from '../../schema/check.ts';
import { mustBe } from '../../schema/expected.ts';
import { outcomesRequestSchema } from '../../schema/validators.generated.ts';
import { isSeenBy } from '../../verdict/decide.ts';
import type { Journal } from '../journal/journal.ts';
import type { Context } from '../shared/context.ts';
import { assertKnownNames, callerOf, HOST, type VerifyCaller } from '../verification/verify-caller.ts';
import { countOutcome, type OutcomeMarks, openedMark } from './order-marks.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<Context, 'store' | 'caches' | 'clock' | 'clockWatch' | 'seal' | 'log'>;

/** Takes reports of outcomes. */
export interface Outcomes {
  /**
   * Accepts all of 1 to 100 reports, or none. With `journal: "strict"` it resolves when they are stored.
   *
   * This method does not compare a report with its verdict. A report that matches no verdict is never shown. If a
   * verdict has several reports, the first that is not `unknown` counts.
   *
   * @throws {IdentityError} `invalid_request` for a malformed report, or a verdict that is older than 7 days.
   * @throws {IdentityError} `not_found` for an agent that the caller does not see.
   */
  report(outcomes: readonly OutcomeInput[] | OutcomeList, caller?: VerifyCaller): Promise<OutcomesAccepted>;
}

/** The maximum age of a verdict for a report: the longest time of a hold. */
const OLDEST_MS = 7 * RESOLUTION_MS.day;
/** The time by which the clock of another node may be ahead, in milliseconds. */
const AHEAD_MS = 5_000;
/** The number of latest reports that a node remembers, to skip repeated reports. */
const REMEMBERED = 65_536;

/** Creates the method `report`, which writes to `journal`. */
export function createOutcomes(context: Needs, journal: Journal): Outcomes {
  const { caches, clock, seal } = context;
  const cache = createBoundedMap<string, true>(REMEMBERED);

  async function ownerOf(agent_id: string, caller: VerifyCaller): Promise<string> {
    const atMs = caches.monotonic();
    const { value } = caches.passports.peek(agent_id, atMs) ?? (await caches.passports.load(agent_id, atMs));
    if (value !== undefined && isSeenBy(caller, value.prepared)) return value.account_id;
    throw noSuch('passport');
  }

  function markIn(
    { decision_id, mark }: OutcomeInput,
    account_id: string,
    { environment = 'live' }: VerifyCaller,
  ): OutcomeMarks | typeof FOREIGN | undefined {
    if (mark === undefined) return undefined;
    return openedMark(seal, { account_id, environment, decision_id }, mark) ?? FOREIGN;
  }

  /** Groups the reports that this node does not remember by their account, and by the name of each report. */
  function groupNew(
    reports: readonly OutcomeReport[],
    owners: readonly string[],
  ): ReadonlyMap<string, ReadonlyMap<string, OutcomeReport>> {
    const byAccount = new Map<string, Map<string, OutcomeReport>>();
    for (const [index, report] of reports.entries()) {
      const account_id = owners[index] ?? '';
      const name = nameOf(report, account_id);
      if (cache.get(name) !== undefined) continue;
      const ownReports = byAccount.get(account_id) ?? new Map<string, OutcomeReport>();
      byAccount.set(account_id, ownReports.set(name, report));
    }
    return byAccount;
  }

  return {
    async report(args, asker = HOST) {
      assertKnownNames('outcomes.report', asker);
      const { outcomes } = checkCopy<OutcomeList>(
        outcomesRequestSchema,
        Array.isArray(args) ? { outcomes: args } : args,
        outcomeErrors,
      );
      const caller = callerOf(asker);
      const reported_ms = clock.now();
      refuseAny(outcomes.flatMap(({ evaluated_at }, index) => ageErrors(evaluated_at, index, reported_ms)));
      const owners: string[] = [];
      for (const { agent_id } of outcomes) owners.push(await ownerOf(agent_id, caller));
      const marks = outcomes.map((outcome, index) => markIn(outcome, owners[index] ?? '', caller));
      refuseAny(marks.flatMap((mark, index) => (mark === FOREIGN ? [foreignAt(index)] : [])));
      // In their order: of two reports of one verdict the first counts.
      for (const [index, outcome] of outcomes.entries()) {
        const mark = marks[index];
        if (mark !== undefined && mark !== FOREIGN) await countOutcome(context, mark, outcome);
      }
      const reports = outcomes.map((outcome) => reportOf(outcome, caller, reported_ms));
      for (const [account_id, ownReports] of groupNew(reports, owners)) {
        await journal.fileOutcomes([...ownReports.values()], account_id);
        // A report that could not be stored may be repeated.
        for (const name of ownReports.keys()) cache.set(name, true);
      }
      return { accepted: outcomes.length };
    },
  };
}

const FOREIGN: unique symbol = Symbol();

function foreignAt(index: number): FieldError {
  const path = `/outcomes/${index}/mark`;
  return { path, code: 'malformed', message: mustBe(path) };
}

function ageErrors(evaluatedAt: string, index: number, present: number): readonly FieldError[] {
  const instant = parseInstant(evaluatedAt) ?? Number.NaN;
  if (instant >= present - OLDEST_MS && instant <= present + AHEAD_MS) return [];
  const message = 'This must be the instant of a verdict of the last 7 days.';
  return [{ path: `/outcomes/${index}/evaluated_at`, code: 'out_of_range', message }];
}

function reportOf(
  { decision_id, evaluated_at, agent_id, outcome, code }: OutcomeInput,
  { environment = 'live', key_id = null }: VerifyCaller,
  reported_ms: number,
): OutcomeReport {
  const evaluated_ms = parseInstant(evaluated_at) ?? reported_ms;
  return {
    decision_id,
    evaluated_ms,
    agent_id,
    outcome,
    code: code ?? null,
    reported_ms,
    environment,
    key_id,
  };
}

function nameOf(report: OutcomeReport, account_id: string): string {
  const { decision_id, evaluated_ms, agent_id, outcome, code, environment, key_id } = report;
  return `${decision_id} ${evaluated_ms} ${outcome} ${code} ${environment} ${key_id} ${account_id} ${agent_id}`;
}

/** Matches `dec_`, then 18 digits of a process and 8 digits of a count. */
const DECISION_ID = /^dec_[0-9A-Za-z]{26}$/;
const CODE = /^[a-z][a-z0-9_]{0,63}$/;

const FITS: Readonly<Record<string, (text: string) => boolean>> = {
  decision_id: (text) => DECISION_ID.test(text),
  evaluated_at: (text) => parseInstant(text) !== undefined,
  code: (text) => CODE.test(text),
};

function outcomeErrors(input: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const { outcomes } = input;
  if (!Array.isArray(outcomes)) return [];
  return outcomes.flatMap((report: unknown, index) =>
    Object.entries(FITS).flatMap(([field, fits]) => {
      const text = Object(report)[field];
      if (typeof text !== 'string' || fits(text)) return [];
      const path = `/outcomes/${index}/${field}`;
      return [{ path, code: 'malformed', message: mustBe(path) }];
    }),
  );
}

interface OpenOutcomes {
  readonly outcomes: Outcomes;
  readonly reportsFor: (caller: VerifyCaller) => ReportsOn;
}

/** Creates the method for reported outcomes, and the automatic reports of guarded actions. */
export function openOutcomes(context: Needs, journal: Journal): OpenOutcomes {
  const outcomes = createOutcomes(context, journal);
  return { outcomes, reportsFor: createOutcomeReports(outcomes, context.log) };
}

function createOutcomeReports(outcomes: Outcomes, log: Logger): (caller: VerifyCaller) => ReportsOn {
  let isWarned = false;

  function warn(error: unknown): void {
    if (isWarned) return;
    isWarned = true;
    const message = 'The outcome of an action could not be reported.';
    log({ level: 'warn', event: 'outcome_not_reported', message, cause: describeCause(error) });
  }

  return (caller) => (record) => (outcome) => {
    if (record === null) return undefined;
    const { decision_id, evaluated_at, agent_id, mark } = record;
    const report = { decision_id, evaluated_at, agent_id, outcome, ...(mark !== undefined && { mark }) };
    const reportPromise = outcomes.report([report], caller).then(() => undefined, warn);
    return mark === undefined ? undefined : reportPromise;
  };
}
