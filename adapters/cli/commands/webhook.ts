import { Option } from 'commander';
import { webhookOperations } from '../../../src/webhooks/operations.ts';
import { usageError } from '../output/error.ts';
import { fieldList } from '../output/table.ts';
import { visible } from '../output/terminal.ts';
import { webhookCommand } from './answering.ts';
import type { CommandGroup } from './command.ts';
import { commandsOf } from './from-operations.ts';
import { graceOption } from './key.ts';

const DESCRIPTION = '<text> description for the members, at most 500 characters';
const FORMAT =
  '<name> format of the request body; `event` is the event as JSON, and `ocsf` is the event in OCSF 1.8.0, a format for security tools (default: event)';

const FAMILY = {
  group: 'webhook',
  parameters: {
    id: { help: 'id of the webhook, which begins with whk_', example: 'whk_0aZ…' },
    delivery_id: { help: 'id of the delivery, which begins with dlv_', example: 'dlv_7kP…' },
  },
  isBothWays: true,
  create: webhookCommand,
};

export const webhookCommands: CommandGroup = {
  name: 'webhook',
  summary: 'manage webhooks, URLs that get events',
  commands: commandsOf(webhookOperations, FAMILY, {
    create: {
      summary: 'create a webhook and print its secret once',
      arguments: { url: 'https URL that receives the events; the port must be 443, or 1024 or higher' },
      flags: {
        types: new Option(
          '--types <type...>',
          'event types to send (required), such as passport.revoked, or passport.* for all passport events',
        ).makeOptionMandatory(),
        description: DESCRIPTION,
        format: FORMAT,
      },
      notes:
        'Each request has a signature in the format of Standard Webhooks (standardwebhooks.com). To verify it, the receiver needs the secret, and a library for this format.',
      example: 'https://example.com/hooks --types passport.* verdict.denied',
    },
    list: {
      columns: { ID: 'id', URL: 'url', TYPES: 'types', STATUS: 'status', FAILURES: 'failures_in_a_row' },
    },
    get: {},
    update: {
      summary: 'change a webhook',
      flags: {
        // `--url` is the service.
        url: '--new-url <url> new https URL that receives the events; the port must be 443, or 1024 or higher',
        types:
          '<type...> event types to send instead of the present types, such as passport.revoked or passport.*',
        description: DESCRIPTION,
        format: FORMAT,
        status:
          '<status> new status; `disabled` stops all events; `active` sends events from now on, but none from the time in between',
      },
      options: [new Option('--no-description', 'remove the description')],
      notes: 'This command keeps the secret of the webhook. `webhook rotate` replaces the secret.',
      example: '--types key.* --status active',
      prepare(input, { description }: { readonly description?: string | false }) {
        const patch = { ...input, ...(description === false && { description: null }) };
        if (Object.keys(patch).length > 0) return patch;
        throw usageError(
          'Name what to change: --new-url, --types, --description, --no-description, --format or --status.',
        );
      },
    },
    rotate: {
      summary: 'give a webhook a new secret and print the secret once',
      flags: {
        grace_seconds: graceOption(
          'seconds in which each request has two signatures, by the old and the new secret, so that the receiver has time to change its secret',
        ),
      },
      example: '--grace-seconds 3600',
    },
    remove: {
      name: 'delete',
      summary: 'remove a webhook and the events that it has not sent yet',
      text: ({ id }) => `${visible(id)} is removed.`,
    },
    test: {
      summary: 'send one webhook.test event and print the result',
      notes: 'The exit code is 1 if the event was not delivered.',
      text: ({ delivery }) => fieldList(delivery),
      exitCode: ({ delivery }) => (delivery.status === 'delivered' ? 0 : 1),
    },
    deliveries: {
      summary: 'list sent, failed and pending deliveries, newest first',
      columns: {
        ID: 'id',
        TYPE: 'event_type',
        STATUS: 'status',
        ATTEMPT: 'attempt',
        ANSWER: 'http_status',
        'NEXT ATTEMPT': 'next_attempt_at',
        CREATED: 'created_at',
      },
    },
    redeliver: { summary: 'send the event of a delivery again' },
  }),
};
