import { Option } from 'commander';
import { auditOperations } from '../../../src/core/insight/operations.ts';
import { ocsfLine } from '../../../src/ocsf/index.ts';
import type { AuditEntry, Page } from '../../../src/types.ts';
import { csvOption, limitOption } from '../backend/pages.ts';
import { printCsv, writeOutput } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';
import { commandOf } from './from-operations.ts';

interface FormatOptions {
  readonly csv?: boolean;
  readonly format?: 'ocsf';
}

const PAGE = 100;

export const auditCommand: CliCommand = commandOf(auditOperations, 'list', {
  name: 'audit',
  summary: 'list or export the audit trail, newest first',
  flags: {
    type: '<type> list only changes of this type',
    by: '<author> list only changes by this author (a member id, an API key id, or `operator`)',
    from: '--since <instant> list only changes at or after this RFC 3339 instant',
    to: '<instant> list only changes before this RFC 3339 instant',
    limit: limitOption().default(50),
  },
  options: [
    csvOption('change'),
    new Option(
      '--format <name>',
      'print every matching change in the event format OCSF 1.8.0, one JSON object per line',
    )
      .choices(['ocsf'])
      .conflicts(['csv', 'json', 'limit']),
  ],
  notes:
    'The audit trail has the changes in an account, such as a new API key. `verifications` lists the verdicts.',
  example: [
    '--type passport.updated --since 2026-11-20T00:00:00Z',
    '--csv --url http://localhost:3000/api > audit.csv',
    '--format ocsf --since 2026-11-20T00:00:00Z > audit.jsonl',
  ],
  columns: { AT: 'timestamp', TYPE: 'type', BY: 'by', DATA: ({ data }) => JSON.stringify(data) },
  async print({ audit }, { limit: _, ...filter }, { csv = false, format }: FormatOptions) {
    if (csv) await printCsv(await audit.csv(filter));
    else if (format === 'ocsf') await printOcsf(audit.list({ ...filter, limit: PAGE }));
    return csv || format !== undefined;
  },
});

async function printOcsf(pages: AsyncIterable<Page<AuditEntry>>): Promise<void> {
  for await (const { data } of pages) {
    const lines = data.map((entry) => `${ocsfLine(entry)}\n`);
    if (!(await writeOutput(lines.join('')))) return;
  }
}
