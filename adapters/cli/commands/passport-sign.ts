import { Option } from 'commander';
import type { SignPassportInput } from '../../../src/client.ts';
import { type SignedPassport, verifyPassport } from '../../../src/tokens/proof/index.ts';
import { secretFileOption } from '../backend/backend.ts';
import { storedIdentity } from '../backend/operator.ts';
import { readJsonFile, readSecretFile } from '../input/text-file.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { fieldList } from '../output/table.ts';
import { accountVerb, answerVerb } from './answering.ts';
import { AGENT_ID } from './passport-fields.ts';
import type { Verb } from './verb.ts';

interface CheckOptions {
  readonly issuer: readonly string[];
  readonly offline?: string;
  readonly status?: true;
  readonly allowLocalhost?: true;
}

/** The commands for signed passports: sign a passport, and check a signed passport as a third party does. */
export const passportSignVerbs: readonly Verb[] = [
  accountVerb({
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
        'thumbprint of the agent key to include in the signed passport (default: the first key of the agent)',
      ),
    },
    options: [
      new Option('--public-url <url>', 'public URL of the API with --storage, the same as for serve')
        .env('AGENT_IDENTITY_PUBLIC_URL')
        .default(storedIdentity().publicUrl, 'http://localhost:<PORT>/api'),
      secretFileOption(' for --storage'),
    ],
    notes: 'The command prints only the signed passport. Everyone who has it can present it.',
    examples: ['agent-identity passport sign did:web:example.com:agents:shopper --ttl 600'],
    call: ({ passports }, { agent_id }, input: SignPassportInput) => passports.sign(agent_id, input),
    text: ({ token }) => token,
  }),
  answerVerb({
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
        'file with the JWK set of the issuer, for a check without a network request',
      ),
      new Option('--status', 'fetch the list of revoked passports from the issuer in spite of --offline'),
      new Option(
        '--allow-localhost',
        'allow requests to this machine and its local network, for a service that runs there',
      ),
    ],
    notes: 'The exit code is 1 if the check refuses the signed passport.',
    examples: [
      'agent-identity passport check "$TOKEN" --issuer did:web:example.com',
      'agent-identity passport check - --issuer did:web:example.com --offline jwks.json < token.txt',
    ],
    async call(_, { token: given }, _input, { issuer, offline, status, allowLocalhost }: CheckOptions) {
      const token = given === '-' ? await readSecretFile('-') : given;
      const keys = offline === undefined ? undefined : ((await readJsonFile(offline)) as JwkSetFile);
      return verifyPassport(token, {
        issuers: issuer,
        ...(keys !== undefined && { keys, status: status === true }),
        ...(allowLocalhost === true && { fetch: globalThis.fetch }),
      });
    },
    text: (found) => fieldList(shown(found)),
  }),
];

/** The content of the file for `--offline`. It is checked when the token is verified. */
type JwkSetFile = { readonly keys: readonly object[] };

/** Returns the passport without the fields that a token never has. */
function shown({ created_at, updated_at: _, ...passport }: SignedPassport) {
  return { ...passport, signed_at: created_at };
}
