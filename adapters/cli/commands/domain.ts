import type { Command } from 'commander';
import type { IdentityService } from '../../../src/index.ts';
import { jsonOption, storageOption } from '../backend/backend.ts';
import { findAccount, type OperatorOptions, withStoredService } from '../backend/operator.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { table } from '../output/table.ts';
import { print, printJson, visible } from '../output/terminal.ts';
import { noAccount } from './account-change.ts';

interface ListOptions extends OperatorOptions, LimitOptions {
  readonly account?: string;
}

interface ReleaseOptions extends OperatorOptions {
  readonly force?: boolean;
}

/** Adds `domain list|release|transfer`: for whoever holds the storage. */
export function addDomainCommands(program: Command): void {
  const domain = program
    .command('domain')
    .description('Domains: which account issues for which (works on the storage itself)');

  domain
    .command('list')
    .description('list the claimed domains, newest first')
    .option('--account <email>', 'only those of this account')
    .addOption(limitOption())
    .addOption(storageOption())
    .addOption(jsonOption())
    .addHelpText('after', example('domain list --account ada@example.com'))
    .action(async (options: ListOptions) => {
      const { page, emails } = await withStoredService(options, (service) => listDomains(service, options));
      if (options.json) return printJson(page);
      const rows = page.data.map((claim) => [
        claim.domain,
        emails.get(claim.account_id) ?? claim.account_id,
        claim.created_at,
      ]);
      print(table([['DOMAIN', 'ACCOUNT', 'CLAIMED'], ...rows]));
    });

  domain
    .command('release')
    .description('release a domain: the next account that issues a passport for it owns it')
    .argument('<domain>', 'the domain without port')
    .option('--force', 'even while its account has passports for it that are not revoked')
    .addOption(storageOption())
    .addOption(jsonOption())
    .addHelpText('after', `\nThe passports stay as they are.\n${example('domain release example.com')}`)
    .action(async (name: string, options: ReleaseOptions) => {
      const { force = false } = options;
      await withStoredService(options, ({ domains }) => domains.release(name, { force }));
      if (options.json) printJson({ domain: name, released: true });
      else print(`${visible(name)} is released.`);
    });

  domain
    .command('transfer')
    .description('give a domain to another account')
    .argument('<domain>', 'the domain without port')
    .argument('<email>', 'the e-mail address of the account that gets it')
    .addOption(storageOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `\nThe passports stay with the account that issued them.\n${example('domain transfer example.com bob@example.com')}`,
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
  const page = await firstRecords((request) => service.domains.list({ ...request, ...filter }), options);
  const accounts = await firstRecords((request) => service.accounts.list(request));
  return { page, emails: new Map(accounts.data.map((account) => [account.id, account.email])) };
}

async function accountId(service: IdentityService, email: string): Promise<string> {
  const found = await findAccount(service, email);
  if (found === undefined) throw noAccount();
  return found.id;
}

function example(line: string): string {
  return `\nExample:\n  $ agent-identity ${line}`;
}
