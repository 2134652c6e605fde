import { type Command, Option } from 'commander';
import type { IdentityService } from '../../../src/index.ts';
import { jsonOption, storageOption } from '../backend/backend.ts';
import { type OperatorOptions, withStoredService } from '../backend/operator.ts';
import { readSecrets, type SecretOptions } from '../input/secrets.ts';
import { usageError } from '../output/error.ts';
import { fieldList, table } from '../output/table.ts';
import { print, printJson, visible } from '../output/terminal.ts';
import { example } from './examples.ts';

interface SecretVerbOptions extends OperatorOptions, SecretOptions {}

interface RotateOptions extends SecretVerbOptions {
  readonly alg?: 'EdDSA' | 'ES256';
  readonly now?: true;
}

/** Adds `signing-key list|rotate|revoke|reseal|export`: for the operator of the storage. */
export function addSigningKeyCommands(program: Command): void {
  const key = program
    .command('signing-key')
    .description('Signing keys: what strangers check this service by (works on the storage itself)');

  addStorage(key.command('list').description('list the signing keys with their states, newest first'))
    .addHelpText('after', example('signing-key list'))
    .action(async (options: OperatorOptions) => {
      const keys = await withStoredService(options, ({ signing }) => signing.list());
      if (options.json) return printJson({ data: keys });
      const rows = keys.map(({ kid, alg, state, not_before, retire_at }) => [
        kid,
        alg,
        state,
        not_before,
        retire_at ?? '',
      ]);
      print(table([['KID', 'ALG', 'STATE', 'SIGNS FROM', 'PUBLISHED UNTIL'], ...rows]));
    });

  addSecret(
    key
      .command('rotate')
      .description('add a key, which replaces the present one as the signing key after 600 s'),
  )
    .addOption(new Option('--alg <name>', 'its algorithm (default: EdDSA)').choices(['EdDSA', 'ES256']))
    .option('--now', 'it signs at once: strangers who keep the old keys refuse it for up to 300 s')
    .addHelpText(
      'after',
      `\nThe present key stays published for another day, as long as what it has signed may be valid.\n${example('signing-key rotate')}`,
    )
    .action(async ({ alg, now, ...options }: RotateOptions) => {
      const rotation = { ...(alg && { alg }), ...(now && { now }) };
      const made = await withSecret(options, ({ signing }) => signing.rotate(rotation));
      if (options.json) printJson(made);
      else print(fieldList(shown(made)));
    });

  addMendingCommands(key);

  addStorage(
    key
      .command('export')
      .description('print the public key as JWK')
      .argument('<kid>', 'the thumbprint of the key'),
  )
    .addHelpText('after', example('signing-key export kPrK_q…'))
    .action(async (kid: string, options: OperatorOptions) => {
      const keys = await withStoredService(options, ({ signing }) => signing.list());
      const found = keys.find((one) => one.kid === kid);
      if (found === undefined)
        throw usageError(`There is no signing key ${kid}. See: agent-identity signing-key list`);
      printJson({ ...found.public_jwk, kid, alg: found.alg, use: 'sig' });
    });
}

/** Adds `revoke|reseal`. */
function addMendingCommands(key: Command): void {
  addSecret(
    key
      .command('revoke')
      .description('end a key at once, with everything that it has signed')
      .argument('<kid>', 'the thumbprint of the key'),
  )
    .addHelpText(
      'after',
      `\nIf no other key can sign, a new one is made with it.\n${example('signing-key revoke kPrK_q…')}`,
    )
    .action(async (kid: string, options: SecretVerbOptions) => {
      const revoked = await withSecret(options, ({ signing }) => signing.revoke(kid));
      if (options.json) printJson(revoked);
      else print(`${visible(kid)} is revoked.`);
    });

  addSecret(
    key
      .command('reseal')
      .description(
        'encrypt the keys and the secrets of webhooks with the signing secret, after a change of it',
      ),
  )
    .addHelpText(
      'after',
      `\nIt needs the previous secret: AGENT_IDENTITY_PREVIOUS_SECRET, or AGENT_IDENTITY_PREVIOUS_SECRETS (a JSON array).\n${example('signing-key reseal --previous-secret-file ./previous')}`,
    )
    .action(async (options: SecretVerbOptions) => {
      const done = await withSecret(options, ({ signing }) => signing.reseal());
      if (options.json) printJson(done);
      else print(`Encrypted with the secret: ${done.resealed}`);
    });
}

function addStorage(command: Command): Command {
  return command.addOption(storageOption()).addOption(jsonOption());
}

function addSecret(command: Command): Command {
  return addStorage(command)
    .option(
      '--secret-file <path>',
      'the signing secret in a file (env: AGENT_IDENTITY_SECRET holds the text itself) (default: kept beside a sqlite database)',
    )
    .option(
      '--previous-secret-file <path>',
      'the previous signing secret in a file (env: AGENT_IDENTITY_PREVIOUS_SECRET holds the text itself)',
    )
    .option(
      '--previous-secrets-file <path>',
      'several of them, as a JSON array (env: AGENT_IDENTITY_PREVIOUS_SECRETS holds the array itself)',
    );
}

/** With the secret of `serve`: the keys are encrypted with it. */
function withSecret<Result>(
  options: SecretVerbOptions,
  use: (service: IdentityService) => Promise<Result>,
): Promise<Result> {
  return withStoredService(options, use, {
    async identityOf(place) {
      const { secret, previousSecret, previousSecrets } = await readSecrets(place, options);
      if (secret === undefined)
        throw usageError('Set AGENT_IDENTITY_SECRET or --secret-file: the keys are encrypted with it.');
      const before = previousSecret === undefined ? [] : [previousSecret];
      return { secret, previousSecrets: [...before, ...previousSecrets] };
    },
  });
}

function shown({ public_jwk, ...key }: Awaited<ReturnType<IdentityService['signing']['rotate']>>) {
  return { ...key, public_jwk: JSON.stringify(public_jwk) };
}
