import type { Command } from 'commander';
import type { Approval } from '../../../src/types.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { outputRecord } from '../output/record.ts';
import { table } from '../output/table.ts';
import { print, printJson } from '../output/terminal.ts';
import { example } from './examples.ts';

interface ListOptions extends BackendOptions, LimitOptions {
  readonly status?: Approval['status'];
  readonly agent?: string;
}

interface DecisionOptions extends BackendOptions {
  readonly note?: string;
}

const ID = ['<id>', 'the approval, apr_…'] as const;

/** Adds `approval list|show|approve|reject`. */
export function addApprovalCommands(program: Command): void {
  const approval = program
    .command('approval')
    .description('Approvals: what persons are asked before an agent may act');
  const list = approval
    .command('list')
    .description('list the approvals, newest first')
    .option('--status <status>', 'only those that are pending, approved, rejected, used or expired now')
    .option('--agent <agent_id>', 'only what this agent asks')
    .addOption(limitOption());
  addBackendOptions(list, 'manage')
    .addHelpText('after', example('approval list --status pending'))
    .action(async (options: ListOptions, command: Command) => {
      const { status, agent: agent_id } = options;
      const filter = { ...(status !== undefined && { status }), ...(agent_id !== undefined && { agent_id }) };
      const page = await withBackend(command, 'manage', (backend) =>
        firstRecords((request) => backend.approvals.list({ ...filter, ...request }), options),
      );
      if (options.json) return printJson(page);
      print(table([['ID', 'STATUS', 'AGENT', 'ACTION', 'AMOUNT', 'EXPIRES'], ...page.data.map(rowOf)]));
    });

  addBackendOptions(
    approval
      .command('show')
      .description('show an approval with the exact intent')
      .argument(...ID),
    'manage',
  )
    .addHelpText('after', example('approval show apr_5nWq8ZrT2yLkXc0BvHs4Ge'))
    .action(async (id: string, options: BackendOptions, command: Command) => {
      outputRecord(await withBackend(command, 'manage', (backend) => backend.approvals.get(id)), options);
    });
  addDecision(approval, 'approve', 'let the agent do exactly this intent, once');
  addDecision(approval, 'reject', 'do not let the agent do this intent');
}

function addDecision(approval: Command, verb: 'approve' | 'reject', description: string): void {
  const command = approval
    .command(verb)
    .description(description)
    .argument(...ID)
    .option('--note <text>', 'for people, 1 to 500 characters');
  addBackendOptions(command, 'manage')
    .addHelpText('after', example(`approval ${verb} apr_5nWq8ZrT2yLkXc0BvHs4Ge --note "asked the buyer"`))
    .action(async (id: string, options: DecisionOptions, command: Command) => {
      const { note } = options;
      const decision = note === undefined ? {} : { note };
      outputRecord(
        await withBackend(command, 'manage', (backend) => backend.approvals[verb](id, decision)),
        options,
      );
    });
}

function rowOf({ id, status, agent_id, intent, expires_at }: Approval): readonly string[] {
  const { action, parameters = {} } = intent;
  const { amount, currency } = parameters;
  const money = [amount, currency].filter((part) => typeof part === 'string' || typeof part === 'number');
  return [id, status, agent_id, action, money.join(' '), expires_at];
}
