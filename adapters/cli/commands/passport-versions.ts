import type { Command } from 'commander';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { table } from '../output/table.ts';
import { print, printJson } from '../output/terminal.ts';

/** Adds `versions` to `passport`. */
export function addVersionsCommand(passport: Command): void {
  addBackendOptions(
    passport
      .command('versions')
      .description(
        'list every version of a passport, newest first, with who made it; --json prints them in full',
      )
      .argument('<agent_id>', 'did:web:<domain>:agents:<agent_name>')
      .addOption(limitOption()),
    'manage',
  )
    .addHelpText(
      'after',
      '\nExample:\n  $ agent-identity passport versions did:web:example.com:agents:shopper --json',
    )
    .action(async (agentId: string, options: BackendOptions & LimitOptions, command: Command) => {
      const page = await withBackend(command, 'manage', (backend) =>
        firstRecords((request) => backend.passports.versions(agentId, request), options),
      );
      if (options.json) return printJson(page);
      const rows = page.data.map((found) => [
        `${found.version}`,
        found.status,
        `${found.monetary_limit_per_txn} ${found.currency ?? ''}`.trim(),
        found.changed_at,
        found.changed_by,
      ]);
      print(table([['VERSION', 'STATUS', 'LIMIT', 'CHANGED', 'BY'], ...rows]));
    });
}
