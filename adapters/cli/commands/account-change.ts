import { Argument, type Command } from 'commander';
import { PLANS } from '../../../src/http/index.ts';
import { type Account, IdentityError } from '../../../src/index.ts';
import { jsonOption, storageOption } from '../backend/backend.ts';
import { findAccount, type OperatorOptions, withStoredService } from '../backend/operator.ts';
import { outputRecord } from '../output/record.ts';
import { print, printJson, visible } from '../output/terminal.ts';

/** Adds `show|plan|disable|enable` to `account`. */
export function addAccountChangeCommands(account: Command): void {
  accountVerb(account, 'show', 'show an account, what it uses and what its plan allows')
    .addOption(storageOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ agent-identity account show ada@example.com')
    .action(async (email: string, options: OperatorOptions) => {
      const shown = await withStoredService(options, async (service) => {
        const found = await findAccount(service, email);
        if (found === undefined) throw noAccount();
        return service.account({ account_id: found.id });
      });
      outputRecord(shown, options);
    });

  accountVerb(account, 'plan', 'change the plan of an account')
    .addArgument(
      new Argument('<plan>', 'how many keys, passports and verifications a minute it has').choices(PLANS),
    )
    .addOption(storageOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A running service applies the new limits within a second. Keys and passports beyond them stay.

Example:
  $ agent-identity account plan ada@example.com team`,
    )
    .action(async (email: string, plan: Account['plan'], options: OperatorOptions) => {
      const changed = await withStoredService(options, ({ accounts }) => accounts.setPlan(email, plan));
      if (options.json) printJson(changed);
      else print(`${visible(changed.email)} is on the plan ${changed.plan}.`);
    });

  accountVerb(account, 'disable', 'disable an account: its logins, sessions and API keys are refused')
    .addOption(storageOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Sessions end at once, API keys are refused within a second. Nothing is deleted: passports stay as they are, and
a host that verifies in process still gets verdicts on them. "account enable" is the way back.

Example:
  $ agent-identity account disable ada@example.com`,
    )
    .action(async (email: string, options: OperatorOptions) => {
      const changed = await withStoredService(options, ({ accounts }) => accounts.disable(email));
      if (options.json) printJson({ ...changed, disabled: true });
      else print(`${visible(changed.email)} is disabled.`);
    });

  accountVerb(account, 'enable', 'enable a disabled account again')
    .addOption(storageOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Its password works again at once, its API keys within a second. Its old sessions stay ended.

Example:
  $ agent-identity account enable ada@example.com`,
    )
    .action(async (email: string, options: OperatorOptions) => {
      const changed = await withStoredService(options, ({ accounts }) => accounts.enable(email));
      if (options.json) printJson({ ...changed, disabled: false });
      else print(`${visible(changed.email)} is enabled.`);
    });
}

/** The error for an e-mail that has no account: exit code 1. */
export function noAccount(): IdentityError {
  return new IdentityError('not_found', 'There is no account with this e-mail.');
}

function accountVerb(account: Command, name: string, description: string): Command {
  return account
    .command(name)
    .description(description)
    .argument('<email>', 'the e-mail address of the account');
}
