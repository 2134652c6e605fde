import { verificationOperations } from '../../../src/core/insight/operations.ts';
import { csvOption, limitOption } from '../backend/pages.ts';
import { printCsv } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';
import { commandOf } from './from-operations.ts';
import { VERDICT_FLAGS } from './verdict-filter.ts';

export const verificationsCommand: CliCommand = commandOf(verificationOperations, 'list', {
  name: 'verifications',
  flags: { ...VERDICT_FLAGS, limit: limitOption().default(50) },
  options: [csvOption('verdict record')],
  example: [
    '--verdict DENY --from 2026-11-20T00:00:00Z',
    '--csv --url http://localhost:3000/api > verifications.csv',
  ],
  columns: {
    AT: 'evaluated_at',
    VERDICT: ({ verdict, dry_run }) => (dry_run ? `${verdict} (dry run)` : verdict),
    AGENT: 'agent_id',
    ACTION: 'action',
    AMOUNT: ({ amount, currency }) => `${amount ?? ''} ${currency ?? ''}`.trim(),
    OUTCOME: ({ outcome }) => outcome?.outcome ?? '',
    REASONS: ({ reasons }) => reasons.map(({ code }) => code).join(' '),
  },
  async print({ verifications }, { limit: _, ...filter }, { csv = false }: { readonly csv?: boolean }) {
    if (csv) await printCsv(await verifications.csv(filter));
    return csv;
  },
});
