import type { Command } from 'commander';
import { addBackendOptions } from '../backend/backend.ts';

/** The argument of every verb about one webhook. */
export const WEBHOOK_ID = ['<id>', 'the id of the webhook: whk_…'] as const;

/** The options of a backend, and the secret that those of webhooks are encrypted with. */
export function addWebhookOptions(command: Command): Command {
  return addBackendOptions(command, 'webhooks').option(
    '--secret-file <path>',
    'with --storage: the signing secret in a file (env: AGENT_IDENTITY_SECRET holds the text itself) (default: kept beside a sqlite database)',
  );
}
