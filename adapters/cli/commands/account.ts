import type { Command } from 'commander';
import type { Account } from '../../../src/index.ts';
import { jsonOption, storageOption } from '../backend/backend.ts';
import { type OperatorOptions, withStoredService } from '../backend/operator.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { chooseNewPassword, type GivenPassword } from '../input/password.ts';
import { table } from '../output/table.ts';
import { print, printJson } from '../output/terminal.ts';
import { preflight } from '../serve/preflight.ts';
import { addAccountChangeCommands } from './account-change.ts';
import { addAccountDeleteCommand } from './account-delete.ts';
import { example } from './examples.ts';

interface AccountOptions extends OperatorOptions {
  readonly passwordFile?: string;
}

/** Adds `account create|password|list|show|plan|disable|enable|delete`: for the operator of the storage. */
export function addAccountCommands(program: Command): void {
  const account = program
    .command('account')
    .description('Accounts: who may sign in (works on the storage itself)');

  passwordVerb(account, 'create', 'open an account; creates the database if there is none')
    .addHelpText('after', example('account create ada@example.com'))
    .action(async (email: string, options: AccountOptions) => {
      const password = await chooseNewPassword(options.passwordFile);
      const credentials = { email, password: password.text };
      await preflight(credentials);
      const create = { mustExist: false };
      const made = await withStoredService(options, ({ accounts }) => accounts.create(credentials), create);
      outputAccount(made, password, 'The account is open.', options);
    });

  passwordVerb(account, 'password', 'set a new password; every session of the account ends')
    .addHelpText('after', example('account password ada@example.com --password-file ./password'))
    .action(async (email: string, options: AccountOptions) => {
      const password = await chooseNewPassword(options.passwordFile);
      const credentials = { email, password: password.text };
      const changed = await withStoredService(options, ({ accounts }) => accounts.setPassword(credentials));
      outputAccount(changed, password, 'The password is set.', options);
    });

  account
    .command('list')
    .description('list the accounts, newest first')
    .addOption(limitOption())
    .addOption(storageOption())
    .addOption(jsonOption())
    .addHelpText('after', example('account list --json'))
    .action(async (options: OperatorOptions & LimitOptions) => {
      const page = await withStoredService(options, ({ accounts }) =>
        firstRecords((request) => accounts.list(request), options),
      );
      if (options.json) return printJson(page);
      const rows = page.data.map(({ id, email, plan, disabled, created_at }) => {
        return [email, plan, disabled ? 'disabled' : 'active', created_at, id];
      });
      print(table([['EMAIL', 'PLAN', 'STATUS', 'CREATED', 'ID'], ...rows]));
    });

  addAccountChangeCommands(account);
  addAccountDeleteCommand(account);
}

function passwordVerb(account: Command, name: string, description: string): Command {
  return account
    .command(name)
    .description(description)
    .argument('<email>', 'the e-mail address of the account')
    .option(
      '--password-file <path>',
      'the password in a file, - for stdin (else AGENT_IDENTITY_PASSWORD, else typed, else generated)',
    )
    .addOption(storageOption())
    .addOption(jsonOption());
}

/** A generated password is shown this once; a given one never. */
function outputAccount(
  account: Account,
  { text, origin }: GivenPassword,
  done: string,
  { json }: AccountOptions,
): void {
  const isNews = origin === 'generated';
  if (json) {
    printJson({ ...account, ...(isNews && { password: text }) });
    return;
  }
  const rows = [
    ['  e-mail', account.email],
    ...(isNews ? [['  password', `${text}  (shown this once)`]] : []),
  ];
  print(`${done}\n${table(rows)}`);
}
