import { InvalidArgumentError, Option } from 'commander';
import type { KeyInput, KeyPatch, KeyQuery, KeyRotation } from '../../../src/client.ts';
import { ENVIRONMENTS, MANAGEMENT_SCOPES, VERDICT_SCOPES } from '../../../src/http/index.ts';
import { firstRecords, type LimitOptions, limitOption, unusedOption } from '../backend/pages.ts';
import { usageError } from '../output/error.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/terminal.ts';
import { accountVerb, bothWays } from './answering.ts';
import type { VerbGroup } from './verb.ts';

const ID = { id: 'the id of the key: key_…' };

export const keyVerbs: VerbGroup = {
  name: 'key',
  summary: 'manage the API keys with which applications ask for verdicts',
  verbs: [
    accountVerb({
      name: 'create',
      summary: 'create an API key; its secret is shown only this time',
      arguments: { name: 'a name for people, 1 to 100 characters' },
      fields: {
        environment: new Option(
          '--environment <name>',
          'a test key may only verify, read events and decide (default: live)',
        ).choices(ENVIRONMENTS),
        scopes: scopesOption('what it may do (default: verify revoke)'),
        agent_ids: new Option(
          '--agent-ids <agent_id...>',
          'the only agents it may ask about (default: all of the account)',
        ),
        domains: domainsOption('the only domains whose agents a management key reaches (default: all)'),
        expires_at: new Option(
          '--expires-at <instant>',
          'RFC 3339 instant after which it is refused (default: never; a management key: at most 400 days)',
        ),
      },
      notes:
        'A scope such as passports:read makes a management key (ais_manage_…), for pipelines and assistants. Over --url it counts with the rights of the person who made it.',
      examples: [
        ...bothWays('agent-identity key create checkout --scopes verify'),
        'agent-identity key create ci --scopes passports:propose --expires-at 2027-01-31T00:00:00Z --url http://localhost:3000/api',
      ],
      call: ({ keys }, { name }, input: KeyInput) => keys.create({ ...input, name }),
    }),
    accountVerb({
      name: 'list',
      summary: 'list the keys, newest first; never their secrets',
      fields: { unused_days: unusedOption() },
      options: [limitOption()],
      examples: bothWays('agent-identity key list'),
      call: ({ keys }, _args, filter: KeyQuery, options: LimitOptions) =>
        firstRecords((page) => keys.list({ ...page, ...filter }), options),
      text: ({ data }) =>
        table([
          ['ID', 'NAME', 'KEY', 'STATUS', 'ENVIRONMENT', 'SCOPES', 'CREATED'],
          ...data.map(({ id, name, start, status, environment, scopes, created_at }) => {
            return [id, name, `${start}…`, status, environment, scopes.join(','), created_at];
          }),
        ]),
    }),
    accountVerb({
      name: 'update',
      summary: 'change the name, the scopes or the agents of a key',
      arguments: ID,
      fields: {
        name: new Option('--name <name>', 'a name for people, 1 to 100 characters'),
        scopes: scopesOption('what it may do from now on'),
        agent_ids: new Option('--agent-ids <agent_id...>', 'the only agents it may ask about from now on'),
        domains: domainsOption('the only domains whose agents a management key reaches from now on'),
      },
      options: [
        new Option('--all-agents', 'it may ask about every agent of the account').conflicts('agentIds'),
      ],
      examples: [
        'agent-identity key update key_0aZ… --name till --scopes verify',
        'agent-identity key update key_0aZ… --all-agents --url http://localhost:3000/api',
      ],
      prepare(given, { allAgents }: { readonly allAgents?: boolean }) {
        const patch = { ...given, ...(allAgents && { agent_ids: null }) };
        if (Object.keys(patch).length > 0) return patch;
        throw usageError('Name what to change: --name, --scopes, --agent-ids, --domains or --all-agents.');
      },
      call: ({ keys }, { id }, patch: KeyPatch) => keys.update(id, patch),
    }),
    accountVerb({
      name: 'rotate',
      summary: 'replace a key, and show the new secret once',
      arguments: ID,
      fields: {
        grace_seconds: graceOption('how long the old key keeps working'),
        expires_at: new Option(
          '--expires-at <instant>',
          'RFC 3339 instant after which a new management key is refused (default: that of the old one)',
        ),
      },
      notes:
        'The old key never outlives its own expiry. A key is rotated once: rotate the new one the next time.',
      examples: [
        'agent-identity key rotate key_0aZ…',
        'agent-identity key rotate key_0aZ… --grace-seconds 3600 --url http://localhost:3000/api',
      ],
      call: ({ keys }, { id }, rotation: KeyRotation) => keys.rotate(id, rotation),
    }),
    accountVerb({
      name: 'revoke',
      summary: 'revoke a key permanently',
      arguments: ID,
      examples: bothWays('agent-identity key revoke key_0aZ…'),
      async call({ keys }, { id }) {
        await keys.revoke(id);
        return { id, status: 'revoked' };
      },
      text: ({ id }) => `${visible(id)} is revoked.`,
    }),
  ],
};

function domainsOption(description: string): Option {
  return new Option('--domains <domain...>', description);
}

function scopesOption(description: string): Option {
  return new Option('--scopes <scope...>', description).choices([...VERDICT_SCOPES, ...MANAGEMENT_SCOPES]);
}

export function graceOption(description: string): Option {
  return new Option('--grace-seconds <number>', `${description}, 0 to 604800 (a week)`)
    .default(0)
    .argParser(readSeconds);
}

/** Parses a number of seconds. The service checks the maximum. */
function readSeconds(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}
