/** The increments of the rollups by the reports of outcomes in a block. */
import { formatInstant } from '../../../base/values/instant.ts';
import { type BlockView, type OutcomeReport, startOfMinute } from '../../../blocks/index.ts';
import type { RollupDelta } from '../../../ports/journal.ts';

/**
 * Counts the reports of a block in the minutes of their verdicts, by agent and for all agents. `isCounted` chooses the
 * agents; default: every agent.
 */
export function outcomeDeltas(
  account_id: string,
  { outcomes }: BlockView,
  isCounted: (agent_id: string) => boolean = () => true,
): readonly RollupDelta[] {
  const sums = new Map<string, RollupDelta>();
  const count = (report: OutcomeReport, minute_ms: number, agent_id: string): void => {
    const { environment, outcome } = report;
    const name = `${minute_ms} ${environment} ${outcome} ${agent_id}`;
    const known = sums.get(name);
    const minute = known?.minute ?? formatInstant(minute_ms);
    const of = { account_id, environment, minute, agent_id, kind: 'outcome', key: outcome } as const;
    sums.set(name, { count: 1 + (known?.count ?? 0), ...of });
  };
  for (let place = 0; place < outcomes.length; place += 1) {
    const report = outcomes.report(place);
    if (!isCounted(report.agent_id)) continue;
    const minute_ms = startOfMinute(report.evaluated_ms);
    count(report, minute_ms, report.agent_id);
    count(report, minute_ms, '');
  }
  return [...sums.values()];
}
