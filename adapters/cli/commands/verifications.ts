import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Page, VerdictRecord } from '../../../src/index.ts';
import { addBackendOptions, type Backend, withBackend } from '../backend/backend.ts';
import { table } from '../output/table.ts';
import { print, printAll, printJson } from '../output/terminal.ts';
import { addInsightOptions, type InsightOptions, insightFilter } from './insight-filter.ts';

interface VerificationsOptions extends InsightOptions {
  readonly verdict?: 'ALLOW' | 'DENY';
  readonly reason?: string;
  readonly limit: number;
  readonly csv?: boolean;
}

type Filter = Parameters<Backend['exportVerifications']>[0];

/** Adds `verifications`: the journal of the verdicts of an account. */
export function addVerificationsCommand(program: Command): void {
  const verifications = program
    .command('verifications')
    .description('list the recorded verdicts, newest first, or export all of them as CSV');
  addInsightOptions(verifications, 'default: both')
    .addOption(new Option('--verdict <verdict>', 'only these').choices(['ALLOW', 'DENY']))
    .option('--reason <code>', 'only with a reason of this code')
    .addOption(
      new Option('--limit <number>', 'how many at most, 1 to 10000').default(50).argParser(readLimit),
    )
    .addOption(new Option('--csv', 'every one of them as CSV on stdout').conflicts(['json', 'limit']));
  addBackendOptions(verifications, 'manage')
    .addHelpText('after', AFTER)
    .action(async (options: VerificationsOptions, command: Command) => {
      const { verdict, reason, limit, csv } = options;
      const filter: Filter = {
        ...insightFilter(options),
        ...(verdict && { verdict }),
        ...(reason !== undefined && { reason }),
      };
      if (csv) {
        return withBackend(command, 'manage', async (backend) =>
          printAll(await backend.exportVerifications(filter)),
        );
      }
      const page = await withBackend(command, 'manage', (backend) => read(backend, filter, limit));
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

/** So many as one page: a cursor of a verb would end with it. */
async function read(backend: Backend, filter: Filter, most: number): Promise<Page<VerdictRecord>> {
  const data: VerdictRecord[] = [];
  let page: Page<VerdictRecord> | undefined;
  do {
    const limit = Math.min(100, most - data.length);
    const cursor = page?.next_cursor ?? undefined;
    page = await backend.listVerifications({ ...filter, limit, ...(cursor !== undefined && { cursor }) });
    data.push(...page.data);
  } while (page.has_more && data.length < most);
  return { data, has_more: page.has_more, next_cursor: null };
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && limit >= 1 && limit <= 10_000) return limit;
  throw new InvalidArgumentError('It must be a whole number from 1 to 10000.');
}

const AFTER = `
Examples:
  $ agent-identity verifications --verdict DENY --from 2026-11-20T00:00:00Z
  $ agent-identity verifications --csv --url http://localhost:3000/api > verifications.csv`;
