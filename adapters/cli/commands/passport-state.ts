import { Option } from 'commander';
import type { PassportStatus } from '../../../src/client.ts';
import { stateOperations } from '../../../src/core/passports/operations.ts';
import { confirmed } from '../input/confirmed.ts';
import { visible } from '../output/terminal.ts';
import { accountCommand } from './answering.ts';
import type { CliCommand } from './command.ts';
import { commandsOf } from './from-operations.ts';
import { AGENT_ID } from './passport-fields.ts';

const REASON = '<text> reason for the change, at most 500 characters';
const AGENT = 'did:web:example.com:agents:shopper';
const FAMILY = { group: 'passport' };
const STATE = {
  arguments: AGENT_ID,
  example: AGENT,
  text: ({ agent_id, status }: { readonly agent_id: string; readonly status: PassportStatus }) =>
    `${visible(agent_id)} is ${status}.`,
};

export const passportStateCommands: readonly CliCommand[] = [
  ...commandsOf(stateOperations, FAMILY, {
    revoke: { ...STATE, flags: { reason: REASON }, example: `${AGENT} --reason "left the company"` },
    suspend: {
      ...STATE,
      summary: 'suspend a passport until a time, or until you reinstate it',
      flags: {
        reason: REASON,
        until:
          '<instant> RFC 3339 time in the future at which the suspension ends (default: only `passport reinstate` ends it)',
      },
      example: `${AGENT} --until 2030-01-01T00:00:00Z`,
    },
    reinstate: STATE,
  }),
  accountCommand({
    name: 'purge',
    summary: 'erase all data of a revoked agent, and keep only its id',
    arguments: AGENT_ID,
    options: [new Option('--yes', 'carry out the command without a confirmation prompt')],
    notes: `Revoke the passport first. The service keeps the id of the agent, so that no new passport can have the same
id. The command erases the verdict records of the agent and subtracts them from the counts of analytics. The command
also erases the passport versions, spends (amounts taken from budgets), approvals and events of the agent. With --url,
the service continues the erasure after the command has ended.`,
    examples: [`agent-identity passport purge ${AGENT}`],
    async prepare(input, { yes = false }: { readonly yes?: boolean }, { agent_id }) {
      const question = `All that is kept of ${visible(agent_id)} is erased; this cannot be undone.`;
      if (!yes) await confirmed(question, agent_id);
      return input;
    },
    async call({ passports, finishErasures }, { agent_id }) {
      await passports.purge(agent_id);
      await finishErasures();
      return { agent_id, purged: true };
    },
    text: ({ agent_id }) => `${visible(agent_id)} is purged.`,
  }),
];
