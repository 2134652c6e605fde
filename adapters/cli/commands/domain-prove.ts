import type { Command } from 'commander';
import { IdentityError } from '../../../src/index.ts';
import type { DomainClaim } from '../../../src/types.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { Backend, BackendOptions } from '../backend/verbs.ts';
import { print, printJson, visible } from '../output/terminal.ts';

/** Adds `prove` to `domain`. */
export function addDomainProveCommand(domain: Command): void {
  addBackendOptions(
    domain
      .command('prove')
      .description('prove that an account controls a domain: print what to publish, and look for it')
      .argument('<domain>', 'the domain without port'),
    'manage',
  )
    .addHelpText('after', AFTER)
    .action(async (name: string, options: BackendOptions, command: Command) => {
      const { claim, seen } = await withBackend(command, 'manage', (backend) => prove(backend, name));
      if (options.json) printJson(claim);
      else if (claim.status === 'proven') print(`${visible(name)} is proven, by ${claim.method}.`);
      else print(placesOf(claim));
      if (claim.status !== 'proven') throw new IdentityError('conflict', seen);
    });
}

/** The claim: proven, or with its token and with what was seen. */
async function prove(
  backend: Backend,
  name: string,
): Promise<{ readonly claim: DomainClaim; readonly seen: string }> {
  const claim = await backend.domains.claim(name);
  try {
    return { claim: await backend.domains.check(name), seen: '' };
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

const AFTER = `
It ends with 0 once the domain is proven.

Examples:
  $ agent-identity domain prove example.com --account ada@example.com
  $ agent-identity domain prove example.com --url https://id.example.com/api --email ada@example.com`;
