import { type Command, Option } from 'commander';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { table } from '../output/table.ts';
import { print, printCsv, printJson } from '../output/terminal.ts';
import { addVerdictOptions, type VerdictOptions, verdictFilter } from './verdict-filter.ts';

interface VerificationsOptions extends VerdictOptions, LimitOptions {
  readonly csv?: boolean;
}

/** Adds `verifications`: the journal of the verdicts of an account. */
export function addVerificationsCommand(program: Command): void {
  const verifications = program
    .command('verifications')
    .description('list the recorded verdicts, newest first, or export all of them as CSV');
  addVerdictOptions(verifications)
    .addOption(limitOption().default(50))
    .addOption(new Option('--csv', 'print all of them as CSV').conflicts(['json', 'limit']));
  addBackendOptions(verifications, 'manage')
    .addHelpText('after', AFTER)
    .action(async (options: VerificationsOptions, command: Command) => {
      const filter = verdictFilter(options);
      if (options.csv) {
        return withBackend(command, 'manage', async (backend) =>
          printCsv(await backend.verifications.csv(filter)),
        );
      }
      const page = await withBackend(command, 'manage', (backend) =>
        firstRecords((request) => backend.verifications.list({ ...filter, ...request }), options),
      );
      if (options.json) return printJson(page);
      const rows = page.data.map((found) => [
        found.evaluated_at,
        found.dry_run ? `${found.verdict} (dry run)` : found.verdict,
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
