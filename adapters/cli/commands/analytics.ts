import { Option } from 'commander';
import type { Analytics, AnalyticsQuery } from '../../../src/client.ts';
import { RESOLUTION_MS } from '../../../src/ports/index.ts';
import { fieldList, table } from '../output/table.ts';
import { accountCommand } from './answering.ts';
import type { CliCommand } from './command.ts';
import { insightFields } from './verdict-filter.ts';

export const analyticsCommand: CliCommand = accountCommand({
  name: 'analytics',
  summary: 'count the verdicts of a period (default 24 hours)',
  fields: {
    ...insightFields('default: live'),
    interval: new Option(
      '--interval <length>',
      'length of the intervals for which --json counts the verdicts (default: hour)',
    ).choices(Object.keys(RESOLUTION_MS)),
  },
  examples: [
    'agent-identity analytics',
    'agent-identity analytics --interval day --from 2026-11-01T00:00:00Z --json --url http://localhost:3000/api',
  ],
  call: ({ analytics }, _args, query: AnalyticsQuery) => analytics(query),
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
