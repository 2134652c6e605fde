import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { analyticsOperations } from '../../../src/analytics/operations.ts';
import type { Analytics, AnalyticsQuery, VerificationFilter } from '../../../src/client.ts';
import { verificationOperations } from '../../../src/core/insight/operations.ts';
import { csvOption, limitOption } from '../backend/pages.ts';
import { usageError } from '../output/error.ts';
import { fieldList, table } from '../output/table.ts';
import { printCsv } from '../output/terminal.ts';
import { webhookCommand } from './answering.ts';
import type { CliCommand, CommandGroup } from './command.ts';
import { commandOf } from './from-operations.ts';
import { type Flag, flagsOf } from './operation-flags.ts';

const VERDICT_FLAGS: { readonly [Field in keyof VerificationFilter]?: Flag } = {
  ...insightFlags('default: both'),
  verdict: '<verdict> read only verdicts of this kind',
  reason: '<code> read only verdicts with this reason code',
  subject:
    '<text> read only verdicts on intents with exactly this subject, the id of the user for whom the agent acts',
  outcome:
    '<outcome> read only verdicts whose action has this outcome, which the application reports; `none` selects allowed actions without a reported outcome',
  dry_run: new Option(
    '--dry-run <boolean>',
    'with `true`, read only dry runs; with `false`, leave out dry runs (default: both)',
  )
    .choices(['true', 'false'])
    .argParser(readBoolean),
};

export const VERDICT_FIELDS: Readonly<Record<string, Option>> = flagsOf(
  verificationOperations.operations.list,
  { ...VERDICT_FLAGS, limit: false },
);

function readBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('Allowed choices are true, false.');
}

function insightFlags(
  environments: string,
): Readonly<Record<Exclude<keyof AnalyticsQuery, 'interval'>, string>> {
  return {
    agent_id: '--agent <agent_id> read only verdicts on this agent',
    environment: `<name> read only verdicts for API keys of this environment (${environments})`,
    from: '<instant> read only verdicts at or after this RFC 3339 instant',
    to: '<instant> read only verdicts before this RFC 3339 instant',
  };
}

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

export const analyticsCommand: CliCommand = commandOf(analyticsOperations, 'analytics', {
  summary: 'count the verdicts of a period (default 24 hours)',
  flags: {
    ...insightFlags('default: live'),
    interval: '<length> length of the intervals for which --json counts the verdicts (default: hour)',
  },
  example: ['', '--interval day --from 2026-11-01T00:00:00Z --json --url http://localhost:3000/api'],
  text: summary,
});

function summary(result: Analytics): string {
  const { overview, outcomes, latency_us, journal_dropped, complete_since } = result;
  const latency = Object.entries(latency_us).map(([name, value]) => `${name} ${value ?? '-'}`);
  const { unreported, ...reportedFields } = outcomes;
  const facts = {
    ...overview,
    ...reportedFields,
    unreported,
    latency_us: latency,
    journal_dropped,
    complete_since,
  };
  const tops = [
    ['AGENT', result.top_agents],
    ['ACTION', result.top_actions],
    ['REASON', result.top_reasons],
  ] as const;
  const tables = tops
    .filter(([, entries]) => entries.length > 0)
    .map(([name, entries]) =>
      table([[name, 'COUNT'], ...entries.map(({ key, count }) => [key, `${count}`])]),
    );
  return [fieldList(facts), ...tables].join('\n\n');
}

interface ReceiptOptions {
  readonly evaluatedAt?: string;
  readonly out?: string;
  readonly withOthers?: true;
}

export const receiptCommands: CommandGroup = {
  name: 'verifications',
  summary: 'manage receipts of verdict records',
  commands: [
    webhookCommand({
      name: 'receipt',
      summary: 'get the proof that a verdict is in the evidence log',
      arguments: { decision_id: 'decision_id of the verdict, which begins with dec_' },
      options: [
        new Option(
          '--evaluated-at <time>',
          'instant of the verdict; required if the verdict has no permit, because the service then finds the verdict by this instant',
        ),
        new Option('--with-others', 'accept a receipt that also shows other verdicts to its reader'),
        new Option(
          '--out <file>',
          'file to write the receipt to, for `log verify --receipt` (default: stdout)',
        ),
      ],
      notes:
        'A verdict with a permit has its own entry in the log, and its receipt shows only this verdict. For verdicts without a permit, the log has one entry for many verdicts. A receipt for such an entry shows all its verdicts, so the command refuses it without --with-others.',
      examples: ['agent-identity verifications receipt dec_5nWq8ZrT2yLkXc0BvHs4Gf --out receipt.json'],
      async call({ verifications }, { decision_id }, _input, options: ReceiptOptions) {
        const { evaluatedAt, out, withOthers = false } = options;
        const query = evaluatedAt === undefined ? {} : { evaluated_at: evaluatedAt };
        const receipt = await verifications.receipt(decision_id, query);
        if (receipt.discloses > 1 && !withOthers) {
          const otherText = `${receipt.discloses} verdicts: add --with-others if its reader may see them all.`;
          throw usageError(`The receipt discloses ${otherText}`);
        }
        if (out !== undefined) await writeFile(out, `${JSON.stringify(receipt)}\n`);
        return receipt;
      },
      text: (receipt, { out }: ReceiptOptions) =>
        out === undefined ? JSON.stringify(receipt) : `The receipt is in ${out}.`,
    }),
  ],
};
