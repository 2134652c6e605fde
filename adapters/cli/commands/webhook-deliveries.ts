import type { Command } from 'commander';
import { withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { outputRecord } from '../output/record.ts';
import { fieldList, table } from '../output/table.ts';
import { print, printJson } from '../output/terminal.ts';
import { exampleOfBoth } from './examples.ts';
import { addWebhookOptions, WEBHOOK_ID } from './webhook-options.ts';

/** Adds `test|deliveries|redeliver` to `webhook`. */
export function addDeliveryCommands(webhook: Command): void {
  addWebhookOptions(
    webhook
      .command('test')
      .description('send an event webhook.test once, and print the result')
      .argument(...WEBHOOK_ID),
  )
    .addHelpText(
      'after',
      `\nThe exit code is 1 when it did not arrive.\n${exampleOfBoth('webhook test whk_0aZ…')}`,
    )
    .action(async (id: string, options: BackendOptions, command: Command) => {
      const answer = await withBackend(command, 'webhooks', ({ webhooks }) => webhooks.test(id));
      if (options.json) printJson(answer);
      else print(fieldList(answer.delivery));
      if (answer.delivery.status !== 'delivered') process.exitCode = 1;
    });

  addWebhookOptions(
    webhook
      .command('deliveries')
      .description('list what was sent to a webhook, or is to be, newest first')
      .argument(...WEBHOOK_ID)
      .addOption(limitOption()),
  )
    .addHelpText('after', exampleOfBoth('webhook deliveries whk_0aZ…'))
    .action(async (id: string, options: BackendOptions & LimitOptions, command: Command) => {
      const page = await withBackend(command, 'webhooks', ({ webhooks }) =>
        firstRecords((request) => webhooks.deliveries(id, request), options),
      );
      if (options.json) return printJson(page);
      const rows = page.data.map((delivery) => {
        const { event_type, status, attempt, http_status, next_attempt_at, created_at } = delivery;
        return [
          delivery.id,
          event_type,
          status,
          `${attempt}`,
          `${http_status ?? ''}`,
          next_attempt_at ?? '',
          created_at,
        ];
      });
      const head = ['ID', 'TYPE', 'STATUS', 'ATTEMPT', 'ANSWER', 'NEXT ATTEMPT', 'CREATED'];
      print(table([head, ...rows]));
    });

  addWebhookOptions(
    webhook
      .command('redeliver')
      .description('send an event again')
      .argument(...WEBHOOK_ID)
      .argument('<delivery_id>', 'the id of the delivery: dlv_…'),
  )
    .addHelpText('after', exampleOfBoth('webhook redeliver whk_0aZ… dlv_7kP…'))
    .action(async (id: string, deliveryId: string, options: BackendOptions, command: Command) => {
      const delivery = await withBackend(command, 'webhooks', ({ webhooks }) =>
        webhooks.redeliver(id, deliveryId),
      );
      outputRecord(delivery, options);
    });
}
