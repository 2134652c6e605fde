import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Option } from 'commander';
import { agentDocument, agentKeySet, domainDocument } from '../../../src/identity/index.ts';
import type { AgentKey, PublishedAgent } from '../../../src/types.ts';
import { storageOption } from '../backend/backend.ts';
import { type OperatorOptions, type StoredService, withStoredService } from '../backend/operator.ts';
import { firstRecords } from '../backend/pages.ts';
import { usageError } from '../output/error.ts';
import { print } from '../output/terminal.ts';
import { storageCommand } from './answering.ts';
import type { CliCommand, CommandGroup } from './command.ts';

const LOCAL = 'acc_local';

const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?:%3A\d{1,5})?$/;

interface DocumentOptions extends OperatorOptions {
  readonly publicUrl?: string;
}

interface ExportOptions extends DocumentOptions {
  readonly out: string;
}

const PUBLIC_URL = new Option('--public-url <url>', 'public URL of the API, which the documents publish').env(
  'AGENT_IDENTITY_PUBLIC_URL',
);

export const didCommands: CommandGroup = {
  name: 'did',
  summary: 'manage DID documents (needs direct storage access)',
  commands: [
    storageCommand({
      name: 'export',
      summary: 'write all DID documents as files for a web server or CDN',
      options: [
        new Option(
          '--out <folder>',
          'folder to write to; each domain gets its own subfolder',
        ).makeOptionMandatory(),
        PUBLIC_URL,
      ],
      notes: `Serve each folder at the root of its domain. The folder example.com%3A8443 belongs to port 8443 of example.com. If an
agent is revoked, or its account no longer owns the domain, the command removes the files of the agent. If an agent is
suspended or expired, its document no longer permits its keys to sign. Run the command again after an agent is
suspended, reinstated, revoked or expired.`,
      examples: ['agent-identity did export --out /var/www/did --public-url https://id.example.com/api'],
      call: (service, _args, _input, options: ExportOptions) => exportAll(service, options),
      text: ({ domains, agents, revoked }) =>
        `Wrote ${domains} domains and ${agents} agents; ${revoked} are revoked and have no file.`,
    }),
  ],
};

export const domainDidCommand: CliCommand = {
  name: 'did',
  summary: 'print the DID document of a domain',
  arguments: { domain: 'domain, such as example.com, or example.com%3A8443 for port 8443' },
  options: [PUBLIC_URL, storageOption()],
  notes:
    'Serve the document at /.well-known/did.json of the domain. Third parties find there the keys that sign passports. If the domain already serves its own did.json, copy the printed entries of verificationMethod and assertionMethod into that file.',
  examples: ['agent-identity domain did example.com > did.json'],
  async run({ domain }: { readonly domain: string }, options: DocumentOptions) {
    if (!DOMAIN.test(domain))
      throw usageError('Give the domain as passports have it, such as example.com or example.com%3A8443.');
    const keys = await withStoredService(options, publishedKeys);
    if (keys.length === 0) throw usageError('There is no signing key yet: `agent-identity serve` makes it.');
    print(JSON.stringify(domainDocument({ domain, keys, ...named(options) }), null, 2));
  },
};

function named({ publicUrl }: DocumentOptions): { readonly publicUrl?: string } {
  return publicUrl === undefined ? {} : { publicUrl };
}

/** Returns the present and future signing keys, and old keys that verify tokens which may still be valid. */
async function publishedKeys({ signing }: StoredService): Promise<readonly AgentKey[]> {
  const keys = await signing.list();
  return keys
    .filter(({ state }) => state !== 'retired' && state !== 'revoked')
    .map(({ public_jwk, kid, alg }) => ({ ...public_jwk, kid, alg }));
}

interface Counts {
  readonly domains: number;
  readonly agents: number;
  readonly revoked: number;
}

async function exportAll(service: StoredService, options: ExportOptions): Promise<Counts> {
  const keys = await publishedKeys(service);
  const claims = (await firstRecords((page) => service.domains.list(page))).data;
  const accounts = (await firstRecords((page) => service.accounts.list(page))).data;
  const domains = new Set(claims.map(({ domain }) => domain));
  const counts = { domains: 0, agents: 0, revoked: 0 };
  // Where domains are not claimed an account has passports without a claim.
  const owners = [LOCAL, ...claims.map((claim) => claim.account_id), ...accounts.map(({ id }) => id)];
  for (const account_id of new Set(owners)) {
    const { data } = await firstRecords((page) => service.passports.list(page, { account_id }));
    for (const { domain, agent_name } of data) {
      domains.add(domain);
      const agent = await service.published.agent(domain, agent_name, { account_id });
      const folder = join(options.out, domain, 'agents', agent_name);
      if (agent?.state === 'revoked') counts.revoked += 1;
      if (agent === undefined || agent.state === 'revoked') {
        await removeAgent(folder);
        continue;
      }
      await writeAgent(agent, folder, options);
      counts.agents += 1;
    }
  }
  // Asking for a token does not make an account the owner of a domain.
  const ownedIds = new Set(
    claims.filter(({ status }) => status !== 'pending' && status !== 'lost').map(({ domain }) => domain),
  );
  for (const domain of domains) {
    const file = join(options.out, domain, '.well-known/did.json');
    if (keys.length === 0 || !ownedIds.has(hostOf(domain))) await rm(file, { force: true });
    else {
      await write(file, domainDocument({ domain, keys, ...named(options) }));
      counts.domains += 1;
    }
  }
  return counts;
}

function hostOf(domain: string): string {
  return domain.split('%', 1)[0] ?? '';
}

/**
 * Removes the files of a revoked agent (did:web section 3.4), or of an agent whose domain now belongs to another
 * account.
 */
async function removeAgent(folder: string): Promise<void> {
  for (const name of ['did.json', 'jwks.json']) await rm(join(folder, name), { force: true });
}

async function writeAgent(
  { agent_id, domain, state, public_keys }: PublishedAgent,
  folder: string,
  options: ExportOptions,
): Promise<void> {
  const isActive = state === 'active';
  const document = agentDocument({ agent_id, domain, public_keys, isActive, ...named(options) });
  await write(join(folder, 'did.json'), document);
  await write(join(folder, 'jwks.json'), agentKeySet({ public_keys, isActive }));
}

async function write(file: string, content: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}
