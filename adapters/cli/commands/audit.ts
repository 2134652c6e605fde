import { Option } from 'commander';
import { AUDIT_TYPES } from '../../../src/http/index.ts';
import { ocsfLine } from '../../../src/ocsf/index.ts';
import type { AuditEntry, AuditFilter, Page } from '../../../src/types.ts';
import { accountOptions, jsonOption, withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { table } from '../output/table.ts';
import { print, printCsv, printJson, writeOutput } from '../output/terminal.ts';
import { inputOf } from './answering.ts';
import type { CliCommand, FieldOptions } from './command.ts';

interface AuditOptions extends LimitOptions {
  readonly csv?: boolean;
  readonly format?: 'ocsf';
  readonly json?: boolean;
}

const FIELDS: FieldOptions<AuditFilter> = {
  type: new Option('--type <type>', 'list only changes of this type').choices(AUDIT_TYPES),
  by: new Option(
    '--by <author>',
    'list only changes by this author (a member id, an API key id, or `operator`)',
  ),
  from: new Option('--since <instant>', 'list only changes at or after this RFC 3339 instant'),
  to: new Option('--to <instant>', 'list only changes before this RFC 3339 instant'),
};

const PAGE = 100;

export const auditCommand: CliCommand = {
  name: 'audit',
  summary: 'list or export the audit trail, newest first',
  options: [
    ...Object.values(FIELDS),
    limitOption().default(50),
    new Option('--csv', 'print every matching change as CSV, without --limit and --json').conflicts([
      'json',
      'limit',
    ]),
    new Option(
      '--format <name>',
      'print every matching change in the event format OCSF 1.8.0, one JSON object per line',
    )
      .choices(['ocsf'])
      .conflicts(['csv', 'json', 'limit']),
    ...accountOptions(),
    jsonOption(),
  ],
  notes:
    'The audit trail has the changes in an account, such as a new API key. `verifications` lists the verdicts.',
  examples: [
    'agent-identity audit --type passport.updated --since 2026-11-20T00:00:00Z',
    'agent-identity audit --csv --url http://localhost:3000/api > audit.csv',
    'agent-identity audit --format ocsf --since 2026-11-20T00:00:00Z > audit.jsonl',
  ],
  run(_args, options: AuditOptions, command) {
    const filter: AuditFilter = inputOf({ ...FIELDS }, { ...options });
    return withBackend(command, async ({ audit }) => {
      if (options.csv) return printCsv(await audit.csv(filter));
      if (options.format === 'ocsf') return printOcsf(audit.list({ ...filter, limit: PAGE }));
      const page = await firstRecords((page) => audit.list({ ...filter, ...page }), options);
      if (options.json) printJson(page);
      else print(textOf(page));
    });
  },
};

async function printOcsf(pages: AsyncIterable<Page<AuditEntry>>): Promise<void> {
  for await (const { data } of pages) {
    const lines = data.map((entry) => `${ocsfLine(entry)}\n`);
    if (!(await writeOutput(lines.join('')))) return;
  }
}

function textOf({ data }: Page<AuditEntry>): string {
  const rows = data.map(({ timestamp, type, by, data }) => [timestamp, type, by ?? '', JSON.stringify(data)]);
  return table([['AT', 'TYPE', 'BY', 'DATA'], ...rows]);
}
