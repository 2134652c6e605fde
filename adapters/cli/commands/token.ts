import { Option } from 'commander';
import { agentTokens, createTokenVerifier } from '../../../src/tokens/index.ts';
import type { PrivateJwk } from '../../../src/tokens/proof/index.ts';
import { readJsonFile } from '../input/text-file.ts';
import { answerCommand } from './answering.ts';
import type { CommandGroup } from './command.ts';

interface GetOptions {
  readonly issuer: string;
  readonly agent: string;
  readonly key: string;
  readonly resource: string;
  readonly scope?: string;
  readonly bearer?: true;
}

interface CheckOptions {
  readonly issuer: string;
  readonly resource: string;
  readonly jwks?: string;
}

const issuerOption = (): Option =>
  new Option(
    '--issuer <url>',
    'URL of the token issuer, such as https://id.example.com/api/issuers/example.com',
  ).makeOptionMandatory();
const resourceOption = (): Option =>
  new Option(
    '--resource <url>',
    'https URL of the MCP server or HTTP API that accepts the token',
  ).makeOptionMandatory();

export const tokenCommands: CommandGroup = {
  name: 'token',
  summary: 'manage access tokens of agents',
  commands: [
    answerCommand({
      name: 'get',
      summary: 'get an access token for one MCP server or HTTP API',
      options: [
        issuerOption(),
        new Option('--agent <agent_id>', 'id of the agent that requests the token').makeOptionMandatory(),
        new Option(
          '--key <file>',
          'file with the private key from `agent-key generate`',
        ).makeOptionMandatory(),
        resourceOption(),
        new Option(
          '--scope <actions>',
          'actions that the token allows, separated by spaces (default: each that the passport allows without a condition)',
        ),
        new Option('--bearer', 'get a bearer token, which is not bound to the key'),
      ],
      notes: 'The command prints the access token. The token is a credential, so keep the token out of logs.',
      examples: [
        `agent-identity token get --issuer https://id.example.com/api/issuers/example.com \\
      --agent did:web:example.com:agents:shopper --key agent-key.json --resource https://mcp.example/mcp`,
      ],
      async call(_, _args, _input, options: GetOptions) {
        const { issuer, agent, resource, scope, bearer = false } = options;
        const read = await readJsonFile(options.key);
        const { private_jwk = read } = read;
        const tokens = agentTokens({
          issuer,
          agent_id: agent,
          key: private_jwk as PrivateJwk,
          dpop: !bearer,
        });
        return { access_token: await tokens.token(resource, scope) };
      },
      text: ({ access_token }) => access_token,
    }),
    answerCommand({
      name: 'check',
      summary: 'check a bearer token as the API at --resource would',
      arguments: { token: 'access token to check' },
      options: [
        issuerOption(),
        resourceOption(),
        new Option('--jwks <file>', 'file with the JWK set of the issuer (default: fetched from the issuer)'),
      ],
      notes: 'The exit code is 1 if the MCP server or HTTP API at --resource would refuse the token.',
      examples: [
        `agent-identity token check "$TOKEN" --issuer https://id.example.com/api/issuers/example.com \\
      --resource https://mcp.example/mcp`,
      ],
      async call(_, { token }, _input, { issuer, resource, jwks }: CheckOptions) {
        const keys =
          jwks === undefined
            ? undefined
            : ((await readJsonFile(jwks)) as { readonly keys: readonly object[] });
        const verifyToken = createTokenVerifier({ issuers: [issuer], resource, ...(keys && { keys }) });
        const { clientId, scopes, expiresAt, extra } = await verifyToken.verifyAccessToken(token);
        return {
          agent_id: clientId,
          scope: scopes,
          expires_at: new Date(expiresAt * 1_000).toISOString(),
          jti: extra['jti'],
        };
      },
      text: ({ agent_id, scope, expires_at }) =>
        `valid until ${expires_at}: ${agent_id}, ${scope.length === 0 ? 'no scope' : scope.join(' ')}`,
    }),
  ],
};
