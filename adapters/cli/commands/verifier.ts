import { serveVerifier, type VerifierOptions } from '../verifier/serve-verifier.ts';
import type { Verb } from './verb.ts';
import { VERIFIER_OPTIONS } from './verifier-options.ts';

export function verifierVerb(version: string): Verb {
  return {
    name: 'verifier',
    summary: 'compute verdicts on this machine for a remote service',
    options: VERIFIER_OPTIONS,
    notes: `The verifier serves POST /api/verify, POST /api/verify/batch, /api/openapi.json, /api/health/live and
/api/health/ready. With --authzen, the verifier also serves the AuthZEN API. Every other path returns 404, so send
other requests to the service. A client uses this address as base URL and sends the same API key. The API key needs
the scopes verify and decide.

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
