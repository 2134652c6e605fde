import { Option } from 'commander';
import type { Approval } from '../../../src/client.ts';
import { approvalOperations } from '../../../src/core/approvals/operations.ts';
import { fieldList } from '../output/table.ts';
import type { CommandGroup } from './command.ts';
import { commandsOf } from './from-operations.ts';

const FAMILY = {
  group: 'approval',
  parameters: {
    id: {
      help: 'id of the approval, which begins with apr_; `approval list` shows it',
      example: 'apr_5nWq8ZrT2yLkXc0BvHs4Ge',
    },
  },
};
const DECISION = {
  flags: { note: '<text> note for the other members, 1 to 500 characters' },
  example: '--note "asked the buyer"',
};

export const approvalCommands: CommandGroup = {
  name: 'approval',
  summary: 'manage approvals by people',
  commands: commandsOf(approvalOperations, FAMILY, {
    list: {
      flags: {
        status: new Option(
          '--status <status>',
          'list only approvals with the status pending, approved, rejected, used or expired',
        ),
        agent_id: '--agent <agent_id> list only approvals for this agent',
      },
      example: '--status pending',
      columns: {
        ID: 'id',
        STATUS: 'status',
        PEOPLE: ({ decisions, needed, missing_approvers: missing }) =>
          `${decisions.length} of ${needed}${missing === undefined ? '' : `, ${missing} missing in the account`}`,
        AGENT: 'agent_id',
        ACTION: ({ intent, change }) => intent?.action ?? `change of version ${change?.version}`,
        AMOUNT: ({ intent }) => moneyOf(intent?.parameters),
        EXPIRES: 'expires_at',
      },
    },
    get: { summary: 'show an approval, its intent or change, and its decisions', text: textOf },
    approve: { summary: 'approve a waiting intent, or a waiting passport change', ...DECISION },
    reject: { summary: 'reject a waiting intent, or a waiting passport change', ...DECISION },
  }),
};

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

function moneyOf({ amount, currency }: Readonly<Record<string, unknown>> = {}): string {
  const parts = [amount, currency];
  return parts.filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
}
