import { Option } from 'commander';
import type { WebhookInput, WebhookPatch, WebhookRotation } from '../../../src/client.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { usageError } from '../output/error.ts';
import { fieldList, table } from '../output/table.ts';
import { visible } from '../output/terminal.ts';
import { bothWays, webhookVerb } from './answering.ts';
import { graceOption } from './key.ts';
import type { VerbGroup } from './verb.ts';

const ID = { id: 'the id of the webhook: whk_…' };
const FORMAT = new Option(
  '--format <name>',
  'the body: the event, or its line of OCSF 1.8.0 (default: event)',
).choices(['event', 'ocsf']);
const DESCRIPTION = new Option('--description <text>', 'for people, at most 500 characters');

export const webhookVerbs: VerbGroup = {
  name: 'webhook',
  summary: 'manage webhooks, URLs that get events',
  verbs: [
    webhookVerb({
      name: 'create',
      summary: 'create a webhook, and show its secret once',
      arguments: { url: 'https://…, port 443 or from 1024 on' },
      fields: {
        types: new Option(
          '--types <type...>',
          'what to send, such as passport.revoked, or passport.* for all of a kind',
        ).makeOptionMandatory(),
        description: DESCRIPTION,
        format: FORMAT,
      },
      notes: 'The receiver verifies the signature with a library of Standard Webhooks.',
      examples: bothWays(
        'agent-identity webhook create https://example.com/hooks --types passport.* verdict.denied',
      ),
      call: ({ webhooks }, { url }, input: WebhookInput) => webhooks.create({ ...input, url }),
    }),
    webhookVerb({
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
    webhookVerb({
      name: 'show',
      summary: 'show a webhook',
      arguments: ID,
      examples: bothWays('agent-identity webhook show whk_0aZ…'),
      call: ({ webhooks }, { id }) => webhooks.get(id),
    }),
    webhookVerb({
      name: 'update',
      summary: 'change a webhook',
      arguments: ID,
      fields: {
        // `--url` is the service.
        url: new Option(
          '--new-url <url>',
          'where events are sent from now on: https://…, port 443 or from 1024 on',
        ),
        types: new Option(
          '--types <type...>',
          'what to send from now on, such as passport.revoked or passport.*',
        ),
        description: DESCRIPTION,
        format: FORMAT,
        status: new Option(
          '--status <status>',
          'disabled: nothing more is sent; active: events are sent again, from now on',
        ).choices(['active', 'disabled']),
      },
      options: [new Option('--no-description', 'remove the description')],
      notes: 'The secret stays: `webhook rotate` replaces it.',
      examples: bothWays('agent-identity webhook update whk_0aZ… --types key.* --status active'),
      prepare(given, { description }: { readonly description?: string | false }) {
        const patch = { ...given, ...(description === false && { description: null }) };
        if (Object.keys(patch).length > 0) return patch;
        throw usageError(
          'Name what to change: --new-url, --types, --description, --no-description, --format or --status.',
        );
      },
      call: ({ webhooks }, { id }, patch: WebhookPatch) => webhooks.update(id, patch),
    }),
    webhookVerb({
      name: 'rotate',
      summary: 'give a webhook a new secret; it is shown only this time',
      arguments: ID,
      fields: { grace_seconds: graceOption('how long requests carry the signatures of both secrets') },
      examples: bothWays('agent-identity webhook rotate whk_0aZ… --grace-seconds 3600'),
      call: ({ webhooks }, { id }, rotation: WebhookRotation) => webhooks.rotate(id, rotation),
    }),
    webhookVerb({
      name: 'delete',
      summary: 'remove a webhook; what was not sent yet is lost',
      arguments: ID,
      examples: bothWays('agent-identity webhook delete whk_0aZ…'),
      async call({ webhooks }, { id }) {
        await webhooks.remove(id);
        return { id };
      },
      text: ({ id }) => `${visible(id)} is removed.`,
    }),
    webhookVerb({
      name: 'test',
      summary: 'send an event webhook.test once, and print the result',
      arguments: ID,
      notes: 'The exit code is 1 when it did not arrive.',
      examples: bothWays('agent-identity webhook test whk_0aZ…'),
      call: ({ webhooks }, { id }) => webhooks.test(id),
      text: ({ delivery }) => fieldList(delivery),
      exitCode: ({ delivery }) => (delivery.status === 'delivered' ? 0 : 1),
    }),
    webhookVerb({
      name: 'deliveries',
      summary: 'list what was sent to a webhook, or is to be, newest first',
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
    webhookVerb({
      name: 'redeliver',
      summary: 'send an event again',
      arguments: { ...ID, delivery_id: 'the id of the delivery: dlv_…' },
      examples: bothWays('agent-identity webhook redeliver whk_0aZ… dlv_7kP…'),
      call: ({ webhooks }, { id, delivery_id }) => webhooks.redeliver(id, delivery_id),
    }),
  ],
};
