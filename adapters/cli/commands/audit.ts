import { Option } from 'commander';
import { AUDIT_TYPES } from '../../../src/http/index.ts';
import type { AuditEntry, AuditFilter, Page } from '../../../src/types.ts';
import { accountOptions, jsonOption, withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { table } from '../output/table.ts';
import { print, printCsv, printJson } from '../output/terminal.ts';
import { inputOf } from './answering.ts';
import type { FieldOptions, Verb } from './verb.ts';

interface AuditOptions extends LimitOptions {
  readonly csv?: boolean;
  readonly json?: boolean;
}

const FIELDS: FieldOptions<AuditFilter> = {
  type: new Option('--type <type>', 'only changes of this type').choices(AUDIT_TYPES),
  by: new Option('--by <author>', 'only changes by this author: mem_…, key_… or operator'),
  from: new Option('--since <instant>', 'only changes from this RFC 3339 instant on'),
  to: new Option('--to <instant>', 'only changes before this RFC 3339 instant'),
};

/** The command that lists the changes of an account and their authors. */
export const auditVerb: Verb = {
  name: 'audit',
  summary: 'list the audit trail, newest first, or export it as CSV',
  options: [
    ...Object.values(FIELDS),
    limitOption().default(50),
    new Option('--csv', 'print all of it as CSV').conflicts(['json', 'limit']),
    ...accountOptions(),
    jsonOption(),
  ],
  examples: [
    'agent-identity audit --type passport.updated --since 2026-11-20T00:00:00Z',
    'agent-identity audit --csv --url http://localhost:3000/api > audit.csv',
  ],
  run(_args, options: AuditOptions, command) {
    const filter: AuditFilter = inputOf({ ...FIELDS }, { ...options });
    return withBackend(command, async ({ audit }) => {
      if (options.csv) return printCsv(await audit.csv(filter));
      const page = await firstRecords((page) => audit.list({ ...filter, ...page }), options);
      if (options.json) printJson(page);
      else print(textOf(page));
    });
  },
};

function textOf({ data }: Page<AuditEntry>): string {
  const rows = data.map(({ timestamp, type, by, data }) => [timestamp, type, by ?? '', JSON.stringify(data)]);
  return table([['AT', 'TYPE', 'BY', 'DATA'], ...rows]);
}
