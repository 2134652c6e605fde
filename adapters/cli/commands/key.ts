import { InvalidArgumentError, Option } from 'commander';
import { keyOperations } from '../../../src/core/keys/operations.ts';
import { unusedOption } from '../backend/pages.ts';
import { usageError } from '../output/error.ts';
import { visible } from '../output/terminal.ts';
import type { CommandGroup } from './command.ts';
import { commandsOf } from './from-operations.ts';

const FAMILY = {
  group: 'key',
  parameters: { id: { help: 'id of the API key, which begins with key_', example: 'key_0aZ…' } },
  isBothWays: true,
};

export const keyCommands: CommandGroup = {
  name: 'key',
  summary: 'manage the API keys with which applications ask for verdicts',
  commands: commandsOf(keyOperations, FAMILY, {
    create: {
      summary: 'create an API key and print its secret once',
      arguments: { name: 'display name, 1 to 100 characters' },
      flags: {
        environment:
          '<name> environment of the key; a test key spends from separate test budgets, and can have only the scopes verify, events, decide, permit and token (default: live)',
        scopes: '<scope...> scopes of the API key (default: verify revoke)',
        agent_ids: '<agent_id...> restrict the key to these agents (default: all agents of the account)',
        domains: '<domain...> restrict a management key to agents of these domains (default: all)',
        expires_at:
          '<instant> RFC 3339 time at which the API key expires (default: never); required for a management key, at most 400 days ahead',
      },
      notes: `Scopes for applications:
  verify     ask for verdicts, report outcomes, commit, extend and release holds, read spends, approvals and receipts
  revoke     revoke and suspend passports
  reinstate  end a suspension
  refund     return a committed spend to its budget
  events     read the event stream of the agents
  sign       get signed passports
  permit     ask for permits, which are signed ALLOW verdicts; needs verify
  token      get access tokens for the agents of --agent-ids
  decide     run a local verifier; needs verify

A scope with a colon, such as passports:read, makes the key a management key. Its secret begins with ais_manage_. With a
management key, a program such as a CI pipeline or an AI assistant can manage passports and other records, but cannot
ask for verdicts. If you create the key with --url, the key never has more rights than the member who created the key.`,
      example: [
        'checkout --scopes verify',
        'checkout --scopes verify --url http://localhost:3000/api',
        'ci --scopes passports:propose --expires-at 2027-01-31T00:00:00Z --url http://localhost:3000/api',
      ],
    },
    list: {
      summary: 'list the API keys without their secrets, newest first',
      flags: { unused_days: unusedOption('API keys that no request used'), created_by: false },
      columns: {
        ID: 'id',
        NAME: 'name',
        KEY: ({ start }) => `${start}…`,
        STATUS: 'status',
        ENVIRONMENT: 'environment',
        SCOPES: 'scopes',
        CREATED: 'created_at',
      },
    },
    get: false,
    update: {
      summary: 'change the name, the scopes or the agents of an API key',
      flags: {
        name: '<name> display name, 1 to 100 characters',
        scopes: '<scope...> new scopes of the API key, as for `key create`',
        agent_ids: '<agent_id...> restrict the key to exactly these agents, instead of its present list',
        domains:
          '<domain...> restrict a management key to exactly these domains, instead of its present list',
      },
      options: [
        new Option(
          '--all-agents',
          'remove the restriction of --agent-ids, but keep the restriction of --domains',
        ).conflicts('agentIds'),
      ],
      example: ['--name till --scopes verify', '--all-agents --url http://localhost:3000/api'],
      prepare(input, { allAgents }: { readonly allAgents?: boolean }) {
        const patch = { ...input, ...(allAgents && { agent_ids: null }) };
        if (Object.keys(patch).length > 0) return patch;
        throw usageError('Name what to change: --name, --scopes, --agent-ids, --domains or --all-agents.');
      },
    },
    rotate: {
      summary: 'replace an API key and print the new secret once',
      flags: {
        grace_seconds: graceOption('seconds that the old key keeps working'),
        expires_at:
          '<instant> RFC 3339 time at which the new key expires, only for a management key (default: when the old key expires)',
      },
      notes:
        'Without --grace-seconds, the old key stops working at once. The old key never works longer than until its own expiry. You can rotate each API key only once. To rotate again, rotate the new key.',
      example: ['', '--grace-seconds 3600 --url http://localhost:3000/api'],
    },
    revoke: {
      summary: 'revoke an API key permanently',
      record: ({ id }) => ({ id, status: 'revoked' }),
      text: ({ id }) => `${visible(id)} is revoked.`,
    },
  }),
};

export function graceOption(description: string): Option {
  return new Option('--grace-seconds <number>', `${description}, 0 to 604800 (a week)`)
    .default(0)
    .argParser(readSeconds);
}

function readSeconds(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}
