import { analyticsOperations } from '../../../src/analytics/operations.ts';
import type { Analytics } from '../../../src/client.ts';
import { fieldList, table } from '../output/table.ts';
import type { CliCommand } from './command.ts';
import { commandOf } from './from-operations.ts';
import { insightFlags } from './verdict-filter.ts';

export const analyticsCommand: CliCommand = commandOf(analyticsOperations, 'analytics', {
  summary: 'count the verdicts of a period (default 24 hours)',
  flags: {
    ...insightFlags('default: live'),
    interval: '<length> length of the intervals for which --json counts the verdicts (default: hour)',
  },
  example: ['', '--interval day --from 2026-11-01T00:00:00Z --json --url http://localhost:3000/api'],
  text: summary,
});

function summary(result: Analytics): string {
  const { overview, outcomes, latency_us, journal_dropped, complete_since } = result;
  const latency = Object.entries(latency_us).map(([name, value]) => `${name} ${value ?? '-'}`);
  const { unreported, ...reportedFields } = outcomes;
  const facts = {
    ...overview,
    ...reportedFields,
    unreported,
    latency_us: latency,
    journal_dropped,
    complete_since,
  };
  const tops = [
    ['AGENT', result.top_agents],
    ['ACTION', result.top_actions],
    ['REASON', result.top_reasons],
  ] as const;
  const tables = tops
    .filter(([, entries]) => entries.length > 0)
    .map(([name, entries]) =>
      table([[name, 'COUNT'], ...entries.map(({ key, count }) => [key, `${count}`])]),
    );
  return [fieldList(facts), ...tables].join('\n\n');
}
