import type { Command } from 'commander';
import { withBackend } from '../backend/backend.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { outputRecord } from '../output/record.ts';
import { table } from '../output/table.ts';
import { print, printJson, visible } from '../output/terminal.ts';
import { exampleOfBoth } from './examples.ts';
import { graceOption } from './grace-option.ts';
import { addDeliveryCommands } from './webhook-deliveries.ts';
import { addWebhookOptions, WEBHOOK_ID } from './webhook-options.ts';
import { addWebhookUpdateCommand } from './webhook-update.ts';

interface CreateOptions extends BackendOptions {
  readonly types: readonly string[];
  readonly description?: string;
}

interface RotateOptions extends BackendOptions {
  readonly graceSeconds: number;
}

/** Adds `webhook create|list|show|update|rotate|delete|test|deliveries|redeliver`. */
export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('Webhooks: URLs that events are sent to');
  addCreateCommand(webhook);

  addWebhookOptions(
    webhook.command('list').description('list the webhooks, newest first').addOption(limitOption()),
  )
    .addHelpText('after', exampleOfBoth('webhook list'))
    .action(async (options: BackendOptions & LimitOptions, command: Command) => {
      const page = await withBackend(command, 'webhooks', ({ webhooks }) =>
        firstRecords((request) => webhooks.list(request), options),
      );
      if (options.json) return printJson(page);
      const rows = page.data.map(({ id, url, types, status, failures_in_a_row }) => {
        return [id, url, types.join(','), status, `${failures_in_a_row}`];
      });
      print(table([['ID', 'URL', 'TYPES', 'STATUS', 'FAILURES'], ...rows]));
    });

  addWebhookOptions(
    webhook
      .command('show')
      .description('show a webhook')
      .argument(...WEBHOOK_ID),
  )
    .addHelpText('after', exampleOfBoth('webhook show whk_0aZ…'))
    .action(async (id: string, options: BackendOptions, command: Command) => {
      const found = await withBackend(command, 'webhooks', ({ webhooks }) => webhooks.get(id));
      outputRecord(found, options);
    });

  addWebhookUpdateCommand(webhook);
  addRotateCommand(webhook);

  addWebhookOptions(
    webhook
      .command('delete')
      .description('remove a webhook; what was not sent yet is lost')
      .argument(...WEBHOOK_ID),
  )
    .addHelpText('after', exampleOfBoth('webhook delete whk_0aZ…'))
    .action(async (id: string, options: BackendOptions, command: Command) => {
      await withBackend(command, 'webhooks', ({ webhooks }) => webhooks.remove(id));
      if (options.json) printJson({ id });
      else print(`${visible(id)} is removed.`);
    });

  addDeliveryCommands(webhook);
}

function addCreateCommand(webhook: Command): void {
  addWebhookOptions(
    webhook
      .command('create')
      .description('have events sent to a URL; the secret of their signatures is shown only this time')
      .argument('<url>', 'https://…, port 443 or from 1024 on')
      .requiredOption(
        '--types <type...>',
        'what to send, such as passport.revoked, or passport.* for all of a kind',
      )
      .option('--description <text>', 'for people, at most 500 characters'),
  )
    .addHelpText(
      'after',
      `\nThe receiver verifies the signature with a library of Standard Webhooks.\n${exampleOfBoth('webhook create https://example.com/hooks --types passport.* verdict.denied')}`,
    )
    .action(async (url: string, options: CreateOptions, command: Command) => {
      const { types, description } = options;
      const input = { url, types, ...(description !== undefined && { description }) };
      const made = await withBackend(command, 'webhooks', ({ webhooks }) => webhooks.create(input));
      outputRecord(made, options);
    });
}

function addRotateCommand(webhook: Command): void {
  addWebhookOptions(
    webhook
      .command('rotate')
      .description('give a webhook a new secret; it is shown only this time')
      .argument(...WEBHOOK_ID)
      .addOption(graceOption('how long requests carry the signatures of both secrets')),
  )
    .addHelpText('after', exampleOfBoth('webhook rotate whk_0aZ… --grace-seconds 3600'))
    .action(async (id: string, options: RotateOptions, command: Command) => {
      const rotation = { grace_seconds: options.graceSeconds };
      const made = await withBackend(command, 'webhooks', ({ webhooks }) => webhooks.rotate(id, rotation));
      outputRecord(made, options);
    });
}
