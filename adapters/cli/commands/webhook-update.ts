import { type Command, Option } from 'commander';
import type { WebhookPatch } from '../../../src/types.ts';
import { withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { usageError } from '../output/error.ts';
import { outputRecord } from '../output/record.ts';
import { exampleOfBoth } from './examples.ts';
import { addWebhookOptions, WEBHOOK_ID } from './webhook-options.ts';

interface UpdateOptions extends BackendOptions {
  readonly newUrl?: string;
  readonly types?: readonly string[];
  /** `false`: it is removed. */
  readonly description?: string | false;
  readonly status?: NonNullable<WebhookPatch['status']>;
}

const STATUSES: readonly NonNullable<WebhookPatch['status']>[] = ['active', 'disabled'];

/** Adds `update` to `webhook`. */
export function addWebhookUpdateCommand(webhook: Command): void {
  addWebhookOptions(
    webhook
      .command('update')
      .description('change the URL, the types, the description or the status of a webhook; other fields stay')
      .argument(...WEBHOOK_ID)
      // `--url` is the service.
      .option('--new-url <url>', 'where events are sent from now on: https://…, port 443 or from 1024 on')
      .option('--types <type...>', 'what to send from now on, such as passport.revoked or passport.*')
      .option('--description <text>', 'for people, at most 500 characters')
      .option('--no-description', 'remove the description')
      .addOption(
        new Option(
          '--status <status>',
          'disabled: nothing more is sent; active: events are sent again, from now on',
        ).choices(STATUSES),
      ),
  )
    .addHelpText(
      'after',
      `\nThe secret stays: \`webhook rotate\` replaces it.\n${exampleOfBoth('webhook update whk_0aZ… --types key.* --status active')}`,
    )
    .action(async (id: string, options: UpdateOptions, command: Command) => {
      const patch = patchOf(options);
      const changed = await withBackend(command, 'webhooks', ({ webhooks }) => webhooks.update(id, patch));
      outputRecord(changed, options);
    });
}

/** The service checks it, and names every field that is wrong. */
function patchOf({ newUrl, types, description, status }: UpdateOptions): WebhookPatch {
  const patch = {
    ...(newUrl !== undefined && { url: newUrl }),
    ...(types && { types }),
    ...(description !== undefined && { description: description === false ? null : description }),
    ...(status && { status }),
  };
  if (Object.keys(patch).length > 0) return patch;
  throw usageError('Name what to change: --new-url, --types, --description, --no-description or --status.');
}
