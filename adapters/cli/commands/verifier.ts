/** The options that `serve` and `verifier` share, and the options of `verifier`. */
import { InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../input/whole-number.ts';
import { CONNECTION_TIMES } from '../serve/http-server.ts';
import { serveVerifier, type VerifierOptions } from '../verifier/serve-verifier.ts';
import type { CliCommand } from './command.ts';

const VERIFIER_OPTIONS: readonly Option[] = [
  new Option(
    '--url <base>',
    'URL of the service; AGENT_IDENTITY_API_KEY holds the API key',
  ).makeOptionMandatory(),
  ...addressOptions(3100),
  new Option('--name <name>', 'name of this verifier in the verdict records').default('local'),
  authzenOption(),
  agentDomainOption(),
  ...connectionOptions(),
  logOption(),
];

export function connectionOptions(): readonly Option[] {
  const { idleMs, answerMs } = CONNECTION_TIMES;
  return [
    option(
      '--idle-timeout <seconds>',
      'seconds until the server closes an idle connection; must be longer than the idle timeout of your load balancer',
      'AGENT_IDENTITY_IDLE_TIMEOUT',
    )
      .default(idleMs / 1_000)
      .argParser(wholeNumber(1, 86_400)),
    option(
      '--answer-timeout <seconds>',
      'seconds until the server closes the connection of a request that has no response',
      'AGENT_IDENTITY_ANSWER_TIMEOUT',
    )
      .default(answerMs / 1_000)
      .argParser(wholeNumber(1, 86_400)),
  ];
}

export function addressOptions(port: number): readonly Option[] {
  return [
    option('--port <number>', 'port to listen on, 0 for any free port', 'PORT')
      .default(port)
      .argParser(wholeNumber(0, 65_535)),
    option('--host <address>', 'network address to listen on', 'HOST')
      .default('127.0.0.1')
      .argParser(readHost),
  ];
}

export function authzenOption(suffix = ''): Option {
  const text = `serve the AuthZEN Authorization API 1.0 under /api/access/v1${suffix}`;
  return option('--authzen', text, 'AGENT_IDENTITY_AUTHZEN');
}

export function agentDomainOption(): Option {
  const text = 'domain to add to an AuthZEN subject id that is only the name of an agent; needs --authzen';
  return option('--authzen-agent-domain <domain>', text, 'AGENT_IDENTITY_AUTHZEN_AGENT_DOMAIN');
}

export function logOption(): Option {
  return option('--log <format>', 'format of the log lines on stderr', 'AGENT_IDENTITY_LOG')
    .choices(['text', 'json'])
    .default('text');
}

export function option(flags: string, description: string, env: string): Option {
  return new Option(flags, description).env(env);
}

/** Parses a host. An empty host is refused, because Node would listen on every address of the machine. */
function readHost(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must be an address such as 127.0.0.1.');
}

export function verifierCommand(version: string): CliCommand {
  return {
    name: 'verifier',
    summary: 'serve verdicts here, with passports of a remote service',
    options: VERIFIER_OPTIONS,
    notes: `The verifier reads the passports from the service and computes the verdicts. Then it sends the verdict records to the
service. The verifier serves POST /api/verify, POST /api/verify/batch, /api/openapi.json, /api/health/live and
/api/health/ready. With --authzen, the verifier also serves the AuthZEN API. Every other path returns 404, so send
other requests to the service. A client uses the URL of the verifier as base URL, such as http://127.0.0.1:3100/api. The
client sends the API key that the verifier has in AGENT_IDENTITY_API_KEY. The API key needs the scopes verify and decide.

If the service is unreachable, the verifier starts and warns on stderr, but gives no verdicts until it reaches the
service. On SIGTERM and SIGINT, the verifier finishes running requests, sends the last verdict records to the service
and exits with 0.`,
    examples: [
      'agent-identity verifier --url https://id.example.com/api',
      'AGENT_IDENTITY_API_KEY=… agent-identity verifier --url https://id.example.com/api --port 3100',
    ],
    run: (_args, options: VerifierOptions) => serveVerifier(options, version),
  };
}
