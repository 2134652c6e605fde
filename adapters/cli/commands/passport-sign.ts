import { type Command, InvalidArgumentError, Option } from 'commander';
import { type SignedPassport, verifyPassport } from '../../../src/proof/index.ts';
import { addBackendOptions, jsonOption, withBackend } from '../backend/backend.ts';
import { storedIdentity } from '../backend/stored-identity.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { readJsonFile, readSecretFile } from '../input/text-file.ts';
import { fieldList } from '../output/table.ts';
import { print, printJson } from '../output/terminal.ts';

interface SignOptions extends BackendOptions {
  readonly ttl?: number;
  readonly kid?: string;
}

interface CheckOptions {
  readonly issuer: readonly string[];
  readonly offline?: string;
  readonly status?: true;
  readonly allowLocalhost?: true;
  readonly json?: boolean;
}

/** Adds `sign|check` to `passport`: a token for strangers, and what a stranger does with it. */
export function addSignCommands(passport: Command): void {
  const sign = passport
    .command('sign')
    .description('sign a passport as it is now, for those who check it without this service')
    .argument('<agent_id>', 'did:web:<domain>:agents:<agent_name>')
    .option('--ttl <seconds>', 'how long the token is valid, 60 to 86400 (default: 3600)', readSeconds)
    .option('--kid <thumbprint>', 'the key of the agent that the token names (default: its first)')
    .addOption(
      new Option('--public-url <url>', 'with --storage: where strangers reach the API, as serve has it')
        .env('AGENT_IDENTITY_PUBLIC_URL')
        .default(storedIdentity().publicUrl, 'http://localhost:<PORT>/api'),
    )
    .option(
      '--secret-file <path>',
      'with --storage: the signing secret in a file (env: AGENT_IDENTITY_SECRET holds the text itself) (default: kept beside a sqlite database)',
    );
  addBackendOptions(sign, 'manage')
    .addHelpText(
      'after',
      '\nThe token is printed alone. Those who have it can show it.\n\nExample:\n  $ agent-identity passport sign did:web:example.com:agents:shopper --ttl 600',
    )
    .action(async (agentId: string, options: SignOptions, command: Command) => {
      const { ttl, kid } = options;
      const input = { ...(ttl !== undefined && { ttl_seconds: ttl }), ...(kid !== undefined && { kid }) };
      const signed = await withBackend(command, 'manage', (backend) =>
        backend.passports.sign(agentId, input),
      );
      if (options.json) printJson(signed);
      else print(signed.token);
    });

  passport
    .command('check')
    .description('check a signed passport as a stranger does: its issuer, its signature and its status')
    .argument('<token>', 'the token, - for stdin')
    .requiredOption('--issuer <did...>', 'who may have issued it, such as did:web:example.com')
    .option('--offline <file>', 'the JWK set of the issuer in a file: nothing is fetched')
    .option('--status', 'with --offline: fetch the status list all the same')
    .option(
      '--allow-localhost',
      'fetch also from this machine and its network, for a service that runs there',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nThe exit code is 1 for a token that is refused.\n\nExamples:\n  $ agent-identity passport check "$TOKEN" --issuer did:web:example.com\n  $ agent-identity passport check - --issuer did:web:example.com --offline jwks.json < token.txt',
    )
    .action(async (given: string, { issuer, offline, status, allowLocalhost, json }: CheckOptions) => {
      const token = given === '-' ? await readSecretFile('-') : given;
      const keys = offline === undefined ? undefined : ((await readJsonFile(offline)) as JwkSetFile);
      const found = await verifyPassport(token, {
        issuers: issuer,
        ...(keys !== undefined && { keys, status: status === true }),
        ...(allowLocalhost === true && { fetch: globalThis.fetch }),
      });
      if (json) printJson(found);
      else print(fieldList(shown(found)));
    });
}

/** The service checks what is in it. */
type JwkSetFile = { readonly keys: readonly object[] };

/** Without the fields that a token never has. */
function shown({ created_at, updated_at: _, ...passport }: SignedPassport) {
  return { ...passport, signed_at: created_at };
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && seconds >= 60 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError('It must be a whole number from 60 to 86400.');
}
