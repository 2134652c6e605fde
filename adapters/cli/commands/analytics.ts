import { type Command, Option } from 'commander';
import { RESOLUTION_MS, type Resolution } from '../../../src/ports/index.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { Backend } from '../backend/verbs.ts';
import { fieldList, table } from '../output/table.ts';
import { print, printJson } from '../output/terminal.ts';
import { addInsightOptions, type InsightOptions, insightFilter } from './insight-filter.ts';

interface AnalyticsOptions extends InsightOptions {
  readonly interval?: Resolution;
}

type Analytics = Awaited<ReturnType<Backend['analytics']>>;

/** Adds `analytics`: what happened in a stretch of time. */
export function addAnalyticsCommand(program: Command): void {
  const analytics = program
    .command('analytics')
    .description('count the verdicts of a period (default: the last 24 hours); --json has the series');
  addInsightOptions(analytics, 'default: live').addOption(
    new Option('--interval <length>', 'the length of a point of the series (default: hour)').choices(
      Object.keys(RESOLUTION_MS),
    ),
  );
  addBackendOptions(analytics, 'manage')
    .addHelpText('after', AFTER)
    .action(async (options: AnalyticsOptions, command: Command) => {
      const { interval } = options;
      const query = { ...insightFilter(options), ...(interval && { interval }) };
      const counted = await withBackend(command, 'manage', (backend) => backend.analytics(query));
      if (options.json) printJson(counted);
      else print(summary(counted));
    });
}

function summary(counted: Analytics): string {
  const { overview, latency_us, journal_dropped, complete_since } = counted;
  const latency = Object.entries(latency_us).map(([name, value]) => `${name} ${value ?? '-'}`);
  const facts = { ...overview, latency_us: latency, journal_dropped, complete_since };
  const tops = [
    ['AGENT', counted.top_agents],
    ['ACTION', counted.top_actions],
    ['REASON', counted.top_reasons],
  ] as const;
  const tables = tops
    .filter(([, entries]) => entries.length > 0)
    .map(([name, entries]) =>
      table([[name, 'COUNT'], ...entries.map(({ key, count }) => [key, `${count}`])]),
    );
  return [fieldList(facts), ...tables].join('\n\n');
}

const AFTER = `
Examples:
  $ agent-identity analytics
  $ agent-identity analytics --interval day --from 2026-11-01T00:00:00Z --json --url http://localhost:3000/api`;
