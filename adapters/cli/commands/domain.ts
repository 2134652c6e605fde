import type { Command } from 'commander';
import type { IdentityService } from '../../../src/index.ts';
import { addLoginOptions, jsonOption, storageOption, urlOption, withBackend } from '../backend/backend.ts';
import { findAccount, type OperatorOptions, withStoredService } from '../backend/operator.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { usageError } from '../output/error.ts';
import { table } from '../output/table.ts';
import { print, printJson, visible } from '../output/terminal.ts';
import { noAccount } from './account-change.ts';
import { addDomainDidCommand } from './did.ts';
import { addDomainProveCommand } from './domain-prove.ts';
import { example } from './examples.ts';

interface ListOptions extends BackendOptions, LimitOptions {}

interface ReleaseOptions extends BackendOptions {
  readonly force?: boolean;
}

/** Adds `domain list|prove|release|transfer|did`: for the operator of the storage; the first three also for accounts. */
export function addDomainCommands(program: Command): void {
  const domain = program
    .command('domain')
    .description('Domains: which account issues for which, and has proved it');
  addListCommand(domain);
  addReleaseCommand(domain);
  addTransferCommand(domain);
  addDomainProveCommand(domain);
  addDomainDidCommand(domain);
}

function addListCommand(domain: Command): void {
  const list = domain
    .command('list')
    .description('list the claimed domains, newest first: with --url those of the account, else of all')
    .addOption(urlOption())
    .addOption(storageOption())
    .option('--account <email>', 'with --storage: only those of this account');
  addLoginOptions(list)
    .addOption(limitOption())
    .addOption(jsonOption())
    .addHelpText('after', example('domain list --account ada@example.com'))
    .action(async (options: ListOptions, command: Command) => {
      const { page, emails } =
        options.url === undefined
          ? await withStoredService(options, (service) => listDomains(service, options))
          : await listOwn(command, options);
      if (options.json) return printJson(page);
      const rows = page.data.map((claim) => [
        claim.domain,
        emails.get(claim.account_id) ?? claim.account_id,
        claim.status,
        claim.created_at,
      ]);
      print(table([['DOMAIN', 'ACCOUNT', 'STATUS', 'CLAIMED'], ...rows]));
    });
}

function addReleaseCommand(domain: Command): void {
  const release = domain
    .command('release')
    .description('release a domain: the next account that issues a passport for it owns it')
    .argument('<domain>', 'the domain without port')
    .option('--force', 'with --storage: even while its account has passports for it that are not revoked')
    .addOption(urlOption())
    .addOption(storageOption());
  addLoginOptions(release)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `\nThe passports stay as they are; what was signed for them is revoked in the status list.\n${example('domain release example.com')}`,
    )
    .action(async (name: string, options: ReleaseOptions, command: Command) => {
      const { force = false, url } = options;
      if (url === undefined) {
        await withStoredService(options, ({ domains }) => domains.release(name, { force }));
      } else {
        if (force) throw usageError('--force is for --storage.');
        await withBackend(command, 'manage', (backend) => backend.domains.release(name));
      }
      if (options.json) printJson({ domain: name, released: true });
      else print(`${visible(name)} is released.`);
    });
}

function addTransferCommand(domain: Command): void {
  domain
    .command('transfer')
    .description('give a domain to another account (works on the storage itself)')
    .argument('<domain>', 'the domain without port')
    .argument('<email>', 'the e-mail address of the account that gets it')
    .addOption(storageOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `\nThe passports stay with the account that issued them, and what was signed for them is revoked in the status list; the new account has to prove the domain itself.\n${example('domain transfer example.com bob@example.com')}`,
    )
    .action(async (name: string, email: string, options: OperatorOptions) => {
      const claim = await withStoredService(options, async (service) => {
        const to = await accountId(service, email);
        return service.domains.transfer(name, { account_id: to });
      });
      if (options.json) printJson(claim);
      else print(`${visible(name)} belongs to ${visible(email)}.`);
    });
}

async function listDomains(service: IdentityService, options: ListOptions) {
  const { account } = options;
  const filter = account === undefined ? {} : { account_id: await accountId(service, account) };
  const page = await firstRecords((request) => service.domains.list(request, filter), options);
  const accounts = await firstRecords((request) => service.accounts.list(request));
  return { page, emails: new Map(accounts.data.map((account) => [account.id, account.email])) };
}

/** The claims of the account that signs in. */
async function listOwn(command: Command, options: LimitOptions) {
  const page = await withBackend(command, 'manage', (backend) =>
    firstRecords((request) => backend.domains.list(request), options),
  );
  return { page, emails: new Map<string, string>() };
}

async function accountId(service: IdentityService, email: string): Promise<string> {
  const found = await findAccount(service, email);
  if (found === undefined) throw noAccount();
  return found.id;
}
