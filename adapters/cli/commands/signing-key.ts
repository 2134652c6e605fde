import { Option } from 'commander';
import { secretFileOption } from '../backend/backend.ts';
import type { StoredService } from '../backend/operator.ts';
import { usageError } from '../output/error.ts';
import { fieldList, table } from '../output/table.ts';
import { visible } from '../output/terminal.ts';
import { storageCommand } from './answering.ts';
import type { CommandGroup } from './command.ts';

interface Rotation {
  readonly alg?: 'EdDSA' | 'ES256';
  readonly now?: true;
  readonly purpose?: 'passport' | 'log';
}

const KID = { kid: 'thumbprint of the signing key' };

const SECRETS: readonly Option[] = [
  secretFileOption(),
  new Option(
    '--previous-secret-file <path>',
    'file with the previous signing secret, if it still encrypts stored keys; AGENT_IDENTITY_PREVIOUS_SECRET can hold the secret itself',
  ),
  new Option(
    '--previous-secrets-file <path>',
    'file with a JSON array of such secrets, if you changed the secret more than once; AGENT_IDENTITY_PREVIOUS_SECRETS can hold the array itself',
  ),
];
const SEALING = { isSealing: true };

export const signingKeyCommands: CommandGroup = {
  name: 'signing-key',
  summary: 'manage signing keys (needs direct storage access)',
  commands: [
    storageCommand({
      name: 'list',
      summary: 'list the signing keys with their states, newest first',
      examples: ['agent-identity signing-key list'],
      call: async ({ signing }) => ({ data: await signing.list() }),
      text: ({ data }) =>
        table([
          ['KID', 'PURPOSE', 'ALG', 'STATE', 'SIGNS FROM', 'PUBLISHED UNTIL'],
          ...data.map(({ kid, purpose, alg, state, not_before, retire_at }) => {
            return [kid, purpose, alg, state, not_before, retire_at ?? ''];
          }),
        ]),
    }),
    storageCommand(
      {
        name: 'rotate',
        summary: 'add a key that replaces the signing key after 600 seconds',
        fields: {
          alg: new Option('--alg <name>', 'algorithm of the new key (default: EdDSA)').choices([
            'EdDSA',
            'ES256',
          ]),
          purpose: new Option(
            '--purpose <purpose>',
            'use of the key, to sign passports and tokens, or the evidence log (default: passport)',
          ).choices(['passport', 'log']),
          now: new Option(
            '--now',
            'sign with the new key at once; for up to 300 seconds, third parties that have cached only the old keys refuse its signatures',
          ),
        },
        options: SECRETS,
        notes: `Third parties cache the published keys for up to 300 seconds. They know the new key when it begins to sign. The
service publishes the old key for one more day, because signatures of the old key can be valid that long. With
--purpose log, the new key signs at once. For 30 days, both keys sign the checkpoints, which are the signed states of
the evidence log.`,
        examples: ['agent-identity signing-key rotate'],
        call: ({ signing }, _args, rotation: Rotation) => signing.rotate(rotation),
        text: (key) => fieldList(shown(key)),
      },
      SEALING,
    ),
    storageCommand(
      {
        name: 'revoke',
        summary: 'revoke a signing key, which makes its signatures invalid',
        arguments: KID,
        options: SECRETS,
        notes: `Third parties refuse all signatures of the key as soon as they read the published keys again. If no other key for the
same purpose would continue to sign, the command also creates a new signing key.`,
        examples: ['agent-identity signing-key revoke kPrK_q…'],
        call: ({ signing }, { kid }) => signing.revoke(kid),
        text: ({ kid }) => `${visible(kid)} is revoked.`,
      },
      SEALING,
    ),
    storageCommand(
      {
        name: 'reseal',
        summary: 'encrypt stored keys and webhook secrets with a new secret',
        options: SECRETS,
        notes:
          'The service encrypts signing keys and webhook secrets with its signing secret before it stores them. After you change this secret, give the new secret to --secret-file, and the previous secret to --previous-secret-file. The variables that these options name can hold the secrets instead.',
        examples: ['agent-identity signing-key reseal --previous-secret-file ./previous'],
        call: async (service) => ({ resealed: await service.reseal() }),
        text: ({ resealed }) => `Encrypted with the secret: ${resealed}`,
      },
      SEALING,
    ),
    storageCommand({
      name: 'export',
      summary: 'print the public part of a signing key as a JWK',
      arguments: KID,
      examples: ['agent-identity signing-key export kPrK_q…'],
      async call({ signing }, { kid }) {
        const key = (await signing.list()).find((entry) => entry.kid === kid);
        if (key === undefined)
          throw usageError(`There is no signing key ${kid}. See: agent-identity signing-key list`);
        return { ...key.public_jwk, kid, alg: key.alg, use: 'sig' };
      },
      text: (jwk) => JSON.stringify(jwk),
    }),
  ],
};

function shown({ public_jwk, ...key }: Awaited<ReturnType<StoredService['signing']['rotate']>>) {
  return { ...key, public_jwk: JSON.stringify(public_jwk) };
}
