import { Argument, type Command, Option } from 'commander';
import { PLANS } from '../../../src/http/index.ts';
import type { Account } from '../../../src/index.ts';
import { storageOption } from '../backend/backend.ts';
import { finishErasures } from '../backend/local.ts';
import { ACCOUNT_NAME, accountId, accountName, findAccountId } from '../backend/named-account.ts';
import { type OperatorOptions, withStoredService } from '../backend/operator.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { confirmed } from '../input/confirmed.ts';
import { chooseNewPassword } from '../input/password.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/terminal.ts';
import { preflight } from '../serve/preflight.ts';
import { answerCommand, storageCommand } from './answering.ts';
import type { CliCommand, CommandGroup } from './command.ts';

const EMAIL = { email: 'e-mail address of the account' };
const ACCOUNT = { account: ACCOUNT_NAME };

export const accountCommands: CommandGroup = {
  name: 'account',
  summary: 'manage accounts (needs direct storage access)',
  commands: [
    passwordCommand('create', {
      summary: 'open an account, in a new database if there is none',
      example: 'ada@example.com',
      done: 'The account is open.',
    }),
    passwordCommand('password', {
      summary: 'set a new password and end every session of the account',
      example: 'ada@example.com --password-file ./password',
      done: 'The password is set.',
    }),
    storageCommand({
      name: 'list',
      summary: 'list the accounts, newest first',
      options: [limitOption()],
      examples: ['agent-identity account list --json'],
      call: ({ accounts }, _args, _input, options: LimitOptions) => firstRecords(accounts.list, options),
      text: ({ data }) =>
        table([
          ['EMAIL', 'NAME', 'EXTERNAL ID', 'PLAN', 'STATUS', 'CREATED', 'ID'],
          ...data.map(({ id, email, name, external_id, plan, disabled, created_at }) => {
            const status = disabled ? 'disabled' : 'active';
            return [email ?? '', name ?? '', external_id ?? '', plan, status, created_at, id];
          }),
        ]),
    }),
    storageCommand({
      name: 'show',
      summary: 'show an account, what it uses, and its plan limits',
      arguments: ACCOUNT,
      notes: `The usage is the number of active API keys, passports and members. The plan of an account limits these numbers. The
external id is the id that your application has for the account.`,
      examples: ['agent-identity account show ada@example.com'],
      call: async (service, { account }) =>
        service.account({ account_id: await accountId(service, account) }),
    }),
    storageCommand({
      name: 'plan',
      summary: 'change the plan of an account',
      arguments: {
        ...ACCOUNT,
        plan: new Argument(
          '<plan>',
          'plan, which limits how many API keys, passports and requests per minute the account can have',
        ).choices(PLANS),
      },
      notes:
        'A running service applies the new limits within a second. API keys and passports beyond the limits stay valid.',
      examples: ['agent-identity account plan ada@example.com team'],
      call: async (service, { account, plan }) =>
        service.accounts.setPlan(await accountId(service, account), plan as Account['plan']),
      text: (account) => `${visible(accountName(account))} is on the plan ${account.plan}.`,
    }),
    storageCommand({
      name: 'disable',
      summary: 'disable an account, its logins, sessions and API keys',
      arguments: ACCOUNT,
      notes: `Sessions end at once, and the service refuses the API keys within a second. The command deletes nothing and changes
no passport. An application that embeds the service still gets verdicts, because it uses no API key. \`account enable\`
reverses the command.`,
      examples: ['agent-identity account disable ada@example.com'],
      call: async (service, { account }) => ({
        ...(await service.accounts.disable(await accountId(service, account))),
        disabled: true,
      }),
      text: (account) => `${visible(accountName(account))} is disabled.`,
    }),
    storageCommand({
      name: 'enable',
      summary: 'enable a disabled account again',
      arguments: ACCOUNT,
      notes:
        'The password works again at once, and the API keys work within a second. The old sessions stay ended.',
      examples: ['agent-identity account enable ada@example.com'],
      call: async (service, { account }) => ({
        ...(await service.accounts.enable(await accountId(service, account))),
        disabled: false,
      }),
      text: (account) => `${visible(accountName(account))} is enabled.`,
    }),
    storageCommand({
      name: 'delete',
      summary: 'delete an account and erase everything in it',
      arguments: ACCOUNT,
      options: [new Option('--yes', 'carry out the command without a confirmation prompt')],
      notes: `The account loses its logins and API keys at once. Then the command removes the other data in many small steps,
including webhooks, domains, approvals, spends, verdict records, analytics, events and the e-mail address of the
account. If you stop the command, a running service continues the removal. If no service runs, the next service that
starts continues the removal. The storage keeps the id of each passport as revoked, so that no account can issue the
id again. Backups and exports stay unchanged.`,
      examples: ['agent-identity account delete ada@example.com'],
      async call(service, { account: name }, _input, { yes = false }: { readonly yes?: boolean }) {
        const id = (await findAccountId(service, name)) ?? name;
        const question = `All that ${visible(name)} has is erased; this cannot be undone.`;
        if (!yes) await confirmed(question, name);
        await service.accounts.delete(id);
        await finishErasures(service);
        return { id, deleted: true, name };
      },
      record: ({ id, deleted }) => ({ id, deleted }),
      text: ({ name }) => `${visible(name)} is deleted.`,
    }),
  ],
};

interface PasswordOptions extends OperatorOptions {
  readonly passwordFile?: string;
}

function passwordCommand(
  name: 'create' | 'password',
  { summary, example, done }: { readonly summary: string; readonly example: string; readonly done: string },
): CliCommand {
  return answerCommand({
    name,
    summary,
    arguments: EMAIL,
    options: [
      new Option(
        '--password-file <path>',
        'file with the password, or - for stdin (default: AGENT_IDENTITY_PASSWORD)',
      ),
      storageOption(),
    ],
    notes: `Without the file and the variable AGENT_IDENTITY_PASSWORD, the command asks for a password at the terminal. If the
input is empty, or there is no terminal, the command generates a password and prints it.`,
    examples: [`agent-identity account ${name} ${example}`],
    async call(_: Command, { email }, _input, options: PasswordOptions) {
      const isNew = name === 'create';
      const { text: password, origin } = await chooseNewPassword(options.passwordFile);
      if (isNew) await preflight({ email, password });
      const account = await withStoredService(
        options,
        ({ accounts }) => accounts[isNew ? 'create' : 'setPassword']({ email, password }),
        { mustExist: !isNew },
      );
      return { ...account, ...(origin === 'generated' && { password }) };
    },
    text({ email, password }) {
      const rows = password === undefined ? [] : [['  password', `${password}  (shown this once)`]];
      return `${done}\n${table([['  e-mail', email ?? ''], ...rows])}`;
    },
  });
}
