/** Reports how the deeds of the host have ended. Nothing waits for a report, and none makes a deed fail. */
import type { ReportsOn } from '../../base/async/outcome-reports.ts';
import { describeCause } from '../../errors.ts';
import type { Logger } from '../../ports/storage.ts';
import type { Journal } from '../journal/journal.ts';
import type { Context } from '../shared/context.ts';
import type { VerifyCaller } from '../verification/verify-caller.ts';
import { createOutcomes, type Outcomes } from './outcomes.ts';

/** The reports of a service. */
export interface OpenOutcomes {
  readonly outcomes: Outcomes;
  /** Makes the reports of a caller's deeds. */
  readonly reportsFor: (caller: VerifyCaller) => ReportsOn;
}

/** Makes the reports over the journal of `context`. */
export function openOutcomes(context: Context, journal: Journal): OpenOutcomes {
  const outcomes = createOutcomes(context, journal);
  return { outcomes, reportsFor: createDeedReports(outcomes, context.log) };
}

/** Makes the reports of a caller's deeds; the log gets one line, with the first failure. */
function createDeedReports(outcomes: Outcomes, log: Logger): (caller: VerifyCaller) => ReportsOn {
  let isWarned = false;

  function warn(error: unknown): void {
    if (isWarned) return;
    isWarned = true;
    const message = 'The outcome of an action could not be reported.';
    log({ level: 'warn', event: 'outcome_not_reported', message, cause: describeCause(error) });
  }

  return (caller) => (record) => (outcome) => {
    if (record === null) return;
    const { decision_id, evaluated_at, agent_id } = record;
    outcomes.report([{ decision_id, evaluated_at, agent_id, outcome }], caller).catch(warn);
  };
}
