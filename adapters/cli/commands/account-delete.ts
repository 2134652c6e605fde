import type { Command } from 'commander';
import { jsonOption, storageOption } from '../backend/backend.ts';
import { finishErasures } from '../backend/finish-erasures.ts';
import { findAccount, type OperatorOptions, withStoredService } from '../backend/operator.ts';
import { confirmed } from '../input/confirmed.ts';
import { print, printJson, visible } from '../output/terminal.ts';
import { noAccount } from './account-change.ts';

interface DeleteOptions extends OperatorOptions {
  readonly yes?: boolean;
}

/** Adds `delete` to `account`. */
export function addAccountDeleteCommand(account: Command): void {
  account
    .command('delete')
    .description('delete an account for good: all that it has is erased but the ids of its passports')
    .argument('<id>', 'the id of the account, or its e-mail address')
    .option('--yes', 'do not ask')
    .addOption(storageOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
At once it cannot sign in, and no key of it works. Then its keys, sessions, webhooks, domains, approvals, spends,
verdict records, sums, events and its e-mail are removed, in pieces. Where the command is stopped a running service
goes on, or the next that starts. The passports stay as revoked ids, which no account can issue again. Back-ups and
exports are not touched.

Example:
  $ agent-identity account delete ada@example.com`,
    )
    .action(async (name: string, options: DeleteOptions) => {
      const id = await withStoredService(options, async (service) => {
        const account_id = name.includes('@') ? (await findAccount(service, name))?.id : name;
        if (account_id === undefined) throw noAccount();
        const question = `All that ${visible(name)} has is erased; this cannot be undone.`;
        if (options.yes !== true) await confirmed(question, name);
        await service.accounts.delete(account_id);
        await finishErasures(service);
        return account_id;
      });
      if (options.json) printJson({ id, deleted: true });
      else print(`${visible(name)} is deleted.`);
    });
}
