import { Option } from 'commander';
import type { Page, RecordedVerdict, VerificationFilter } from '../../../src/client.ts';
import { accountOptions, jsonOption, withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { table } from '../output/table.ts';
import { print, printCsv, printJson } from '../output/terminal.ts';
import { inputOf } from './answering.ts';
import type { CliCommand } from './command.ts';
import { VERDICT_FIELDS } from './verdict-filter.ts';

interface VerificationsOptions extends LimitOptions {
  readonly csv?: boolean;
  readonly json?: boolean;
}

export const verificationsCommand: CliCommand = {
  name: 'verifications',
  summary: 'list verdict records, newest first, or export them as CSV',
  options: [
    ...Object.values(VERDICT_FIELDS),
    limitOption().default(50),
    new Option('--csv', 'print every matching verdict record as CSV, without --limit and --json').conflicts([
      'json',
      'limit',
    ]),
    ...accountOptions(),
    jsonOption(),
  ],
  examples: [
    'agent-identity verifications --verdict DENY --from 2026-11-20T00:00:00Z',
    'agent-identity verifications --csv --url http://localhost:3000/api > verifications.csv',
  ],
  run(_args, options: VerificationsOptions, command) {
    const filter: VerificationFilter = inputOf({ ...VERDICT_FIELDS }, { ...options });
    return withBackend(command, async ({ verifications }) => {
      if (options.csv) return printCsv(await verifications.csv(filter));
      const page = await firstRecords((page) => verifications.list({ ...filter, ...page }), options);
      if (options.json) printJson(page);
      else print(textOf(page));
    });
  },
};

function textOf({ data }: Page<RecordedVerdict>): string {
  const rows = data.map((verdict) => [
    verdict.evaluated_at,
    verdict.dry_run ? `${verdict.verdict} (dry run)` : verdict.verdict,
    verdict.agent_id,
    verdict.action,
    `${verdict.amount ?? ''} ${verdict.currency ?? ''}`.trim(),
    verdict.outcome?.outcome ?? '',
    verdict.reasons.map(({ code }) => code).join(' '),
  ]);
  return table([['AT', 'VERDICT', 'AGENT', 'ACTION', 'AMOUNT', 'OUTCOME', 'REASONS'], ...rows]);
}
