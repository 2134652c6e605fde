import { type Command, Option } from 'commander';
import { VERDICTS } from '../../../src/http/index.ts';
import type { Verdict } from '../../../src/index.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import type { Backend } from '../backend/verbs.ts';
import { table } from '../output/table.ts';
import { print, printCsv, printJson } from '../output/terminal.ts';
import { addInsightOptions, type InsightOptions, insightFilter } from './insight-filter.ts';

interface VerificationsOptions extends InsightOptions, LimitOptions {
  readonly verdict?: Verdict['verdict'];
  readonly reason?: string;
  readonly csv?: boolean;
}

type Filter = Parameters<Backend['exportVerifications']>[0];

/** Adds `verifications`: the journal of the verdicts of an account. */
export function addVerificationsCommand(program: Command): void {
  const verifications = program
    .command('verifications')
    .description('list the recorded verdicts, newest first, or export all of them as CSV');
  addInsightOptions(verifications, 'default: both')
    .addOption(new Option('--verdict <verdict>', 'only these').choices(VERDICTS))
    .option('--reason <code>', 'only with a reason of this code')
    .addOption(limitOption().default(50))
    .addOption(new Option('--csv', 'print all of them as CSV').conflicts(['json', 'limit']));
  addBackendOptions(verifications, 'manage')
    .addHelpText('after', AFTER)
    .action(async (options: VerificationsOptions, command: Command) => {
      const { verdict, reason, csv } = options;
      const filter: Filter = {
        ...insightFilter(options),
        ...(verdict && { verdict }),
        ...(reason !== undefined && { reason }),
      };
      if (csv) {
        return withBackend(command, 'manage', async (backend) =>
          printCsv(await backend.exportVerifications(filter)),
        );
      }
      const page = await withBackend(command, 'manage', (backend) =>
        firstRecords((request) => backend.listVerifications({ ...filter, ...request }), options),
      );
      if (options.json) return printJson(page);
      const rows = page.data.map((found) => [
        found.evaluated_at,
        found.verdict,
        found.agent_id,
        found.action,
        `${found.amount ?? ''} ${found.currency ?? ''}`.trim(),
        found.reasons.map(({ code }) => code).join(' '),
      ]);
      print(table([['AT', 'VERDICT', 'AGENT', 'ACTION', 'AMOUNT', 'REASONS'], ...rows]));
    });
}

const AFTER = `
Examples:
  $ agent-identity verifications --verdict DENY --from 2026-11-20T00:00:00Z
  $ agent-identity verifications --csv --url http://localhost:3000/api > verifications.csv`;
