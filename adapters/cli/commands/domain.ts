import { type Command, Option } from 'commander';
import { IdentityError, type Page } from '../../../src/index.ts';
import type { DomainClaim } from '../../../src/types.ts';
import { loginOptions, storageOption, urlOption, withBackend } from '../backend/backend.ts';
import type { Backend } from '../backend/methods.ts';
import { ACCOUNT_NAME, accountId, accountName } from '../backend/named-account.ts';
import { type OperatorOptions, withStoredService } from '../backend/operator.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { usageError } from '../output/error.ts';
import { table } from '../output/table.ts';
import { visible } from '../output/terminal.ts';
import { accountCommand, answerCommand, storageCommand } from './answering.ts';
import type { CommandGroup } from './command.ts';
import { domainDidCommand } from './did.ts';

const DOMAIN = { domain: 'domain, without a port' };

interface DomainOptions extends OperatorOptions {
  readonly url?: string;
}

interface ListOptions extends DomainOptions, LimitOptions {
  readonly account?: string;
}

interface ReleaseOptions extends DomainOptions {
  readonly force?: boolean;
}

export const domainCommands: CommandGroup = {
  name: 'domain',
  summary: 'manage domains of accounts',
  commands: [
    answerCommand({
      name: 'list',
      summary: 'list the domains that accounts have claimed, newest first',
      options: [
        urlOption(),
        storageOption(),
        new Option('--account <account>', `${ACCOUNT_NAME} whose domains to list; needs --storage`),
        ...loginOptions(),
        limitOption(),
      ],
      notes:
        'An account claims a domain with `domain prove`. With --url, the command lists only the domains of your account.',
      examples: ['agent-identity domain list --account ada@example.com'],
      call: (command, _args, _input, options: ListOptions) =>
        options.url === undefined ? listStored(options) : listOwn(command, options),
      record: ({ page }) => page,
      text: ({ page, accountNames }) =>
        table([
          ['DOMAIN', 'ACCOUNT', 'STATUS', 'CLAIMED'],
          ...page.data.map(({ domain, account_id, status, created_at }) => {
            return [domain, accountNames.get(account_id) ?? account_id, status, created_at];
          }),
        ]),
    }),
    answerCommand({
      name: 'release',
      summary: 'release a domain so that another account can claim it',
      arguments: DOMAIN,
      options: [
        new Option(
          '--force',
          'release the domain even if its account has passports for it that are not revoked; needs --storage',
        ),
        urlOption(),
        storageOption(),
        ...loginOptions(),
      ],
      notes:
        'First revoke all passports for the domain. Otherwise the command refuses, unless you use --force. With --force, passports that are not revoked stay unchanged. Third parties then see every signed passport for the domain as revoked.',
      examples: ['agent-identity domain release example.com'],
      async call(command, { domain }, _input, options: ReleaseOptions) {
        const { force = false, url } = options;
        if (url === undefined) {
          await withStoredService(options, ({ domains }) => domains.release(domain, { force }));
        } else {
          if (force) throw usageError('--force is for --storage.');
          await withBackend(command, ({ domains }) => domains.release(domain));
        }
        return { domain, released: true };
      },
      text: ({ domain }) => `${visible(domain)} is released.`,
    }),
    storageCommand({
      name: 'transfer',
      summary: 'transfer a domain to another account',
      arguments: { ...DOMAIN, account: `${ACCOUNT_NAME} that gets the domain` },
      notes:
        'The passports for the domain stay with the account that issued them. Third parties then see the signed passports of that account for the domain as revoked. The new account must verify the domain with `domain prove`.',
      examples: ['agent-identity domain transfer example.com bob@example.com'],
      async call(service, { domain, account }) {
        const account_id = await accountId(service, account);
        return { claim: await service.domains.transfer(domain, { account_id }), domain, account };
      },
      record: ({ claim }) => claim,
      text: ({ domain, account }) => `${visible(domain)} belongs to ${visible(account)}.`,
    }),
    accountCommand({
      name: 'prove',
      summary: 'verify that an account controls a domain',
      arguments: DOMAIN,
      notes: `The first run claims the domain for the account, and prints a DNS record and an HTTPS file. Publish one of them, and
run the command again. The exit code is 0 if the domain is verified.`,
      examples: [
        'agent-identity domain prove example.com --account ada@example.com',
        'agent-identity domain prove example.com --url https://id.example.com/api --email ada@example.com',
      ],
      call: (backend, { domain }) => prove(backend, domain),
      record: ({ claim }) => claim,
      text: ({ claim }) =>
        claim.status === 'proven'
          ? `${visible(claim.domain)} is proven, by ${claim.method}.`
          : placesOf(claim),
      exitCode({ claim, seen }) {
        if (claim.status !== 'proven') throw new IdentityError('conflict', seen);
        return 0;
      },
    }),
    domainDidCommand,
  ],
};

interface Claims {
  readonly page: Page<DomainClaim>;
  readonly accountNames: ReadonlyMap<string, string>;
}

async function listStored(options: ListOptions): Promise<Claims> {
  return withStoredService(options, async (service) => {
    const { account } = options;
    const filter = account === undefined ? {} : { account_id: await accountId(service, account) };
    const page = await firstRecords((request) => service.domains.list(request, filter), options);
    const accounts = await firstRecords(service.accounts.list);
    return {
      page,
      accountNames: new Map(accounts.data.map((account) => [account.id, accountName(account)])),
    };
  });
}

async function listOwn(command: Command, options: LimitOptions): Promise<Claims> {
  const page = await withBackend(command, ({ domains }) => firstRecords(domains.list, options));
  return { page, accountNames: new Map() };
}

async function prove(
  { domains }: Backend,
  domain: string,
): Promise<{ readonly claim: DomainClaim; readonly seen: string }> {
  const claim = await domains.claim(domain);
  try {
    return { claim: await domains.check(domain), seen: '' };
  } catch (error) {
    if (error instanceof IdentityError && error.code === 'conflict') return { claim, seen: error.message };
    throw error;
  }
}

function placesOf({ domain, dns, https, expires_at }: DomainClaim): string {
  return [
    `Publish one of these until ${expires_at ?? 'the next check'}, and run this again:`,
    `  DNS     TXT  ${dns?.name}  "${dns?.value}"`,
    `  HTTPS   ${https?.url}  ${https?.body}`,
    `Keep it: ${visible(domain)} is checked once a day.`,
  ].join('\n');
}
