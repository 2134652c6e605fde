import { Option } from 'commander';
import type { Approval, ApprovalDecision, ApprovalQuery } from '../../../src/client.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { fieldList, table } from '../output/table.ts';
import { accountCommand } from './answering.ts';
import type { CliCommand, CommandGroup } from './command.ts';

const ID = { id: 'id of the approval, which begins with apr_; `approval list` shows it' };

export const approvalCommands: CommandGroup = {
  name: 'approval',
  summary: 'manage approvals by people',
  commands: [
    accountCommand({
      name: 'list',
      summary: 'list the approvals, newest first',
      fields: {
        status: new Option(
          '--status <status>',
          'list only approvals with the status pending, approved, rejected, used or expired',
        ),
        agent_id: new Option('--agent <agent_id>', 'list only approvals for this agent'),
      },
      options: [limitOption()],
      examples: ['agent-identity approval list --status pending'],
      call: ({ approvals }, _args, filter: ApprovalQuery, options: LimitOptions) =>
        firstRecords((page) => approvals.list({ ...filter, ...page }), options),
      text: ({ data }) =>
        table([['ID', 'STATUS', 'PEOPLE', 'AGENT', 'ACTION', 'AMOUNT', 'EXPIRES'], ...data.map(rowOf)]),
    }),
    accountCommand({
      name: 'show',
      summary: 'show an approval, its intent or change, and its decisions',
      arguments: ID,
      examples: ['agent-identity approval show apr_5nWq8ZrT2yLkXc0BvHs4Ge'],
      call: ({ approvals }, { id }) => approvals.get(id),
      text: textOf,
    }),
    decisionCommand('approve', 'approve a waiting intent, or a waiting passport change'),
    decisionCommand('reject', 'reject a waiting intent, or a waiting passport change'),
  ],
};

function decisionCommand(name: 'approve' | 'reject', summary: string): CliCommand {
  return accountCommand({
    name,
    summary,
    arguments: ID,
    fields: { note: new Option('--note <text>', 'note for the other members, 1 to 500 characters') },
    examples: [`agent-identity approval ${name} apr_5nWq8ZrT2yLkXc0BvHs4Ge --note "asked the buyer"`],
    call: ({ approvals }, { id }, decision: ApprovalDecision) => approvals[name](id, decision),
  });
}

function textOf({ id, kind, intent, ...approval }: Approval): string {
  const { permit, ...action } = intent ?? {};
  const boundText = permit?.bind ? ', bound to the key of the agent' : '';
  return fieldList({
    id,
    kind,
    ...(intent !== undefined && { intent: action }),
    permit: permit && `${permit.audience}, ${permit.seconds} s${boundText}`,
    ...approval,
  });
}

function rowOf(approval: Approval): readonly string[] {
  const { id, status, agent_id, intent, change, needed, decisions, expires_at, missing_approvers } = approval;
  const action = intent?.action ?? `change of version ${change?.version}`;
  const { amount, currency } = intent?.parameters ?? {};
  const lacks = missing_approvers === undefined ? '' : `, ${missing_approvers} missing in the account`;
  const people = `${decisions.length} of ${needed}${lacks}`;
  const money = [amount, currency].filter((part) => typeof part === 'string' || typeof part === 'number');
  return [id, status, people, agent_id, action, money.join(' '), expires_at];
}
