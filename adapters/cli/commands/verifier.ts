import { serveVerifier, type VerifierOptions } from '../verifier/serve-verifier.ts';
import type { CliCommand } from './command.ts';
import { VERIFIER_OPTIONS } from './verifier-options.ts';

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
