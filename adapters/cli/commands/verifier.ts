import { serveVerifier, type VerifierOptions } from '../verifier/serve-verifier.ts';
import { VERIFIER_OPTIONS } from './serve-options.ts';
import type { Verb } from './verb.ts';

export function verifierVerb(version: string): Verb {
  return {
    name: 'verifier',
    summary: 'serve verdicts next to an application',
    options: VERIFIER_OPTIONS,
    notes: `It serves POST /api/verify and /api/verify/batch as the service does, with --authzen the AuthZEN API, and
/api/openapi.json, /api/health/live and /api/health/ready. Every other path is 404: ask the service. A client changes
its base URL to this address and sends the same API key, which needs the scopes verify and decide.

It starts without the service, and says so. On SIGTERM and SIGINT it finishes running requests, sends the verdict
records that wait and exits with 0.`,
    examples: [
      'agent-identity verifier --url https://id.example.com/api',
      'AGENT_IDENTITY_API_KEY=… agent-identity verifier --url https://id.example.com/api --port 3100',
    ],
    run: (_args, options: VerifierOptions) => serveVerifier(options, version),
  };
}
