import { Option } from 'commander';
import type { SignPassportInput } from '../../../src/client.ts';
import { type SignedPassport, verifyPassport } from '../../../src/tokens/proof/index.ts';
import { secretFileOption } from '../backend/backend.ts';
import { storedUrl } from '../backend/operator.ts';
import { readJsonFile, readSecretFile } from '../input/text-file.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { fieldList } from '../output/table.ts';
import { accountCommand, answerCommand } from './answering.ts';
import type { CliCommand } from './command.ts';
import { AGENT_ID } from './passport-fields.ts';

interface CheckOptions {
  readonly issuer: readonly string[];
  readonly offline?: string;
  readonly status?: true;
  readonly allowLocalhost?: true;
}

export const passportSignCommands: readonly CliCommand[] = [
  accountCommand({
    name: 'sign',
    summary: 'sign a passport for third parties',
    arguments: AGENT_ID,
    fields: {
      ttl_seconds: new Option(
        '--ttl <seconds>',
        'seconds until the signed passport expires, 60 to 86400 (default: 3600)',
      ).argParser(wholeNumber(60, 86_400)),
      kid: new Option(
        '--kid <thumbprint>',
        'thumbprint of the public key that the signed passport contains, so that third parties can check signatures of the agent (default: the first key of the agent)',
      ),
    },
    options: [
      new Option(
        '--public-url <url>',
        'with --storage, public URL of the API, as for serve, where third parties find the list of revoked passports',
      )
        .env('AGENT_IDENTITY_PUBLIC_URL')
        .default(storedUrl(), 'http://localhost:<PORT>/api'),
      secretFileOption(),
    ],
    notes:
      'The command prints only the signed passport. Everyone who gets the signed passport can show it to third parties. To know that the agent itself shows the passport, a third party can ask for a signature with the agent key.',
    examples: ['agent-identity passport sign did:web:example.com:agents:shopper --ttl 600'],
    call: ({ passports }, { agent_id }, input: SignPassportInput) => passports.sign(agent_id, input),
    text: ({ token }) => token,
  }),
  answerCommand({
    name: 'check',
    summary: 'check the issuer, signature and status of a signed passport',
    arguments: { token: 'signed passport to check, or - for stdin' },
    options: [
      new Option(
        '--issuer <did...>',
        'DID of an issuer that you accept, such as did:web:example.com',
      ).makeOptionMandatory(),
      new Option(
        '--offline <file>',
        'file with the public keys of the issuer as a JWK set, for a check without a network request',
      ),
      new Option('--status', 'with --offline, also fetch the list of revoked passports from the issuer'),
      new Option(
        '--allow-localhost',
        'let the command fetch keys and lists from an issuer on this machine or its local network',
      ),
    ],
    notes: 'The exit code is 1 if the check refuses the signed passport.',
    examples: [
      'agent-identity passport check "$TOKEN" --issuer did:web:example.com',
      'agent-identity passport check - --issuer did:web:example.com --offline jwks.json < token.txt',
    ],
    async call(_, { token: text }, _input, { issuer, offline, status, allowLocalhost }: CheckOptions) {
      const token = text === '-' ? await readSecretFile('-') : text;
      const keys = offline === undefined ? undefined : ((await readJsonFile(offline)) as JwkSetFile);
      return verifyPassport(token, {
        issuers: issuer,
        ...(keys !== undefined && { keys, status: status === true }),
        ...(allowLocalhost === true && { fetch: globalThis.fetch }),
      });
    },
    text: (passport) => fieldList(shown(passport)),
  }),
];

/** The content of the file for `--offline`. The verification of a token checks the content. */
type JwkSetFile = { readonly keys: readonly object[] };

function shown({ created_at, updated_at: _, ...passport }: SignedPassport) {
  return { ...passport, signed_at: created_at };
}
