import { Option } from 'commander';
import type { IdentityService } from '../../../src/index.ts';
import { secretFileOption } from '../backend/backend.ts';
import { usageError } from '../output/error.ts';
import { fieldList, table } from '../output/table.ts';
import { visible } from '../output/terminal.ts';
import { storageVerb } from './answering.ts';
import type { VerbGroup } from './verb.ts';

interface Rotation {
  readonly alg?: 'EdDSA' | 'ES256';
  readonly now?: true;
  readonly purpose?: 'passport' | 'log';
}

const KID = { kid: 'the thumbprint of the key' };

/** The options for the secret of `serve`, which encrypts the signing keys. */
const SECRETS: readonly Option[] = [
  secretFileOption(),
  new Option(
    '--previous-secret-file <path>',
    'the previous signing secret in a file (env: AGENT_IDENTITY_PREVIOUS_SECRET holds the text itself)',
  ),
  new Option(
    '--previous-secrets-file <path>',
    'several of them, as a JSON array (env: AGENT_IDENTITY_PREVIOUS_SECRETS holds the array itself)',
  ),
];
const SEALING = { isSealing: true };

export const signingKeyVerbs: VerbGroup = {
  name: 'signing-key',
  summary: 'manage signing keys (needs direct storage access)',
  verbs: [
    storageVerb({
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
    storageVerb(
      {
        name: 'rotate',
        summary: 'add a key that replaces the signing key after 600 s',
        fields: {
          alg: new Option('--alg <name>', 'its algorithm (default: EdDSA)').choices(['EdDSA', 'ES256']),
          purpose: new Option('--purpose <purpose>', 'what it signs (default: passport)').choices([
            'passport',
            'log',
          ]),
          now: new Option(
            '--now',
            'it signs at once: third parties with the old keys refuse it for up to 300 s',
          ),
        },
        options: SECRETS,
        notes: `The present key stays published for another day, as long as what it has signed may be valid. With --purpose log the new key
signs at once, and both sign the checkpoints for 30 days.`,
        examples: ['agent-identity signing-key rotate'],
        call: ({ signing }, _args, rotation: Rotation) => signing.rotate(rotation),
        text: (made) => fieldList(shown(made)),
      },
      SEALING,
    ),
    storageVerb(
      {
        name: 'revoke',
        summary: 'end a key at once, with everything that it has signed',
        arguments: KID,
        options: SECRETS,
        notes: 'If no other key can sign, a new one is made with it.',
        examples: ['agent-identity signing-key revoke kPrK_q…'],
        call: ({ signing }, { kid }) => signing.revoke(kid),
        text: ({ kid }) => `${visible(kid)} is revoked.`,
      },
      SEALING,
    ),
    storageVerb(
      {
        name: 'reseal',
        summary: 'encrypt keys and webhook secrets with a new signing secret',
        options: SECRETS,
        notes:
          'It needs the previous secret: AGENT_IDENTITY_PREVIOUS_SECRET, or AGENT_IDENTITY_PREVIOUS_SECRETS (a JSON array).',
        examples: ['agent-identity signing-key reseal --previous-secret-file ./previous'],
        call: ({ signing }) => signing.reseal(),
        text: ({ resealed }) => `Encrypted with the secret: ${resealed}`,
      },
      SEALING,
    ),
    storageVerb({
      name: 'export',
      summary: 'print the public key as JWK',
      arguments: KID,
      examples: ['agent-identity signing-key export kPrK_q…'],
      async call({ signing }, { kid }) {
        const found = (await signing.list()).find((one) => one.kid === kid);
        if (found === undefined)
          throw usageError(`There is no signing key ${kid}. See: agent-identity signing-key list`);
        return { ...found.public_jwk, kid, alg: found.alg, use: 'sig' };
      },
      text: (jwk) => JSON.stringify(jwk),
    }),
  ],
};

function shown({ public_jwk, ...key }: Awaited<ReturnType<IdentityService['signing']['rotate']>>) {
  return { ...key, public_jwk: JSON.stringify(public_jwk) };
}
