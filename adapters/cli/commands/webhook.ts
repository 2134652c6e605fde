import { Option } from 'commander';
import type { WebhookInput, WebhookPatch, WebhookRotation } from '../../../src/client.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { usageError } from '../output/error.ts';
import { fieldList, table } from '../output/table.ts';
import { visible } from '../output/terminal.ts';
import { bothWays, webhookCommand } from './answering.ts';
import type { CommandGroup } from './command.ts';
import { graceOption } from './key.ts';

const ID = { id: 'id of the webhook, which begins with whk_' };
const FORMAT = new Option(
  '--format <name>',
  'format of the request body; `event` is the event as JSON, and `ocsf` is the event in OCSF 1.8.0, a format for security tools (default: event)',
).choices(['event', 'ocsf']);
const DESCRIPTION = new Option('--description <text>', 'description for the members, at most 500 characters');

export const webhookCommands: CommandGroup = {
  name: 'webhook',
  summary: 'manage webhooks, URLs that get events',
  commands: [
    webhookCommand({
      name: 'create',
      summary: 'create a webhook and print its secret once',
      arguments: { url: 'https URL that receives the events; the port must be 443, or 1024 or higher' },
      fields: {
        types: new Option(
          '--types <type...>',
          'event types to send (required), such as passport.revoked, or passport.* for all passport events',
        ).makeOptionMandatory(),
        description: DESCRIPTION,
        format: FORMAT,
      },
      notes:
        'Each request has a signature in the format of Standard Webhooks (standardwebhooks.com). To verify it, the receiver needs the secret, and a library for this format.',
      examples: bothWays(
        'agent-identity webhook create https://example.com/hooks --types passport.* verdict.denied',
      ),
      call: ({ webhooks }, { url }, input: WebhookInput) => webhooks.create({ ...input, url }),
    }),
    webhookCommand({
      name: 'list',
      summary: 'list the webhooks, newest first',
      options: [limitOption()],
      examples: bothWays('agent-identity webhook list'),
      call: ({ webhooks }, _args, _input, options: LimitOptions) => firstRecords(webhooks.list, options),
      text: ({ data }) =>
        table([
          ['ID', 'URL', 'TYPES', 'STATUS', 'FAILURES'],
          ...data.map(({ id, url, types, status, failures_in_a_row }) => {
            return [id, url, types.join(','), status, `${failures_in_a_row}`];
          }),
        ]),
    }),
    webhookCommand({
      name: 'show',
      summary: 'show a webhook',
      arguments: ID,
      examples: bothWays('agent-identity webhook show whk_0aZ…'),
      call: ({ webhooks }, { id }) => webhooks.get(id),
    }),
    webhookCommand({
      name: 'update',
      summary: 'change a webhook',
      arguments: ID,
      fields: {
        // `--url` is the service.
        url: new Option(
          '--new-url <url>',
          'new https URL that receives the events; the port must be 443, or 1024 or higher',
        ),
        types: new Option(
          '--types <type...>',
          'event types to send instead of the present types, such as passport.revoked or passport.*',
        ),
        description: DESCRIPTION,
        format: FORMAT,
        status: new Option(
          '--status <status>',
          'new status; `disabled` stops all events; `active` sends events from now on, but none from the time in between',
        ).choices(['active', 'disabled']),
      },
      options: [new Option('--no-description', 'remove the description')],
      notes: 'This command keeps the secret of the webhook. `webhook rotate` replaces the secret.',
      examples: bothWays('agent-identity webhook update whk_0aZ… --types key.* --status active'),
      prepare(input, { description }: { readonly description?: string | false }) {
        const patch = { ...input, ...(description === false && { description: null }) };
        if (Object.keys(patch).length > 0) return patch;
        throw usageError(
          'Name what to change: --new-url, --types, --description, --no-description, --format or --status.',
        );
      },
      call: ({ webhooks }, { id }, patch: WebhookPatch) => webhooks.update(id, patch),
    }),
    webhookCommand({
      name: 'rotate',
      summary: 'give a webhook a new secret and print the secret once',
      arguments: ID,
      fields: {
        grace_seconds: graceOption(
          'seconds in which each request has two signatures, by the old and the new secret, so that the receiver has time to change its secret',
        ),
      },
      examples: bothWays('agent-identity webhook rotate whk_0aZ… --grace-seconds 3600'),
      call: ({ webhooks }, { id }, rotation: WebhookRotation) => webhooks.rotate(id, rotation),
    }),
    webhookCommand({
      name: 'delete',
      summary: 'remove a webhook and the events that it has not sent yet',
      arguments: ID,
      examples: bothWays('agent-identity webhook delete whk_0aZ…'),
      async call({ webhooks }, { id }) {
        await webhooks.remove(id);
        return { id };
      },
      text: ({ id }) => `${visible(id)} is removed.`,
    }),
    webhookCommand({
      name: 'test',
      summary: 'send one webhook.test event and print the result',
      arguments: ID,
      notes: 'The exit code is 1 if the event was not delivered.',
      examples: bothWays('agent-identity webhook test whk_0aZ…'),
      call: ({ webhooks }, { id }) => webhooks.test(id),
      text: ({ delivery }) => fieldList(delivery),
      exitCode: ({ delivery }) => (delivery.status === 'delivered' ? 0 : 1),
    }),
    webhookCommand({
      name: 'deliveries',
      summary: 'list sent, failed and pending deliveries, newest first',
      arguments: ID,
      options: [limitOption()],
      examples: bothWays('agent-identity webhook deliveries whk_0aZ…'),
      call: ({ webhooks }, { id }, _input, options: LimitOptions) =>
        firstRecords((request) => webhooks.deliveries(id, request), options),
      text: ({ data }) =>
        table([
          ['ID', 'TYPE', 'STATUS', 'ATTEMPT', 'ANSWER', 'NEXT ATTEMPT', 'CREATED'],
          ...data.map(({ id, event_type, status, attempt, http_status, next_attempt_at, created_at }) => [
            ...[id, event_type, status, `${attempt}`, `${http_status ?? ''}`],
            ...[next_attempt_at ?? '', created_at],
          ]),
        ]),
    }),
    webhookCommand({
      name: 'redeliver',
      summary: 'send the event of a delivery again',
      arguments: { ...ID, delivery_id: 'id of the delivery, which begins with dlv_' },
      examples: bothWays('agent-identity webhook redeliver whk_0aZ… dlv_7kP…'),
      call: ({ webhooks }, { id, delivery_id }) => webhooks.redeliver(id, delivery_id),
    }),
  ],
};
