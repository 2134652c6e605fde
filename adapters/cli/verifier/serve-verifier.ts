/** Runs the local verifier as a process, for applications in other languages. */
import { nodeListener } from '../../../src/http/index.ts';
import { IdentityError, type Logger } from '../../../src/index.ts';
import { createVerifierHost, type VerifierHost } from '../../../src/verifier/index.ts';
import { readBaseUrl } from '../input/base-url.ts';
import { readCredential } from '../input/variables.ts';
import { usageError } from '../output/error.ts';
import { print } from '../output/terminal.ts';
import { watchAnswer } from '../serve/answered.ts';
import { listen, stopAt, timesOf } from '../serve/http-server.ts';
import { createLogger } from '../serve/logger.ts';
import { originOf } from '../serve/origin.ts';
import { isLoopback, nameSettings, refuseLostDomain, type ServeOptions } from '../serve/settings.ts';
import { firstSignal } from '../serve/signals.ts';

export interface VerifierOptions
  extends Pick<
    ServeOptions,
    'port' | 'host' | 'authzen' | 'authzenAgentDomain' | 'idleTimeout' | 'answerTimeout' | 'log'
  > {
  readonly url: string;
  readonly name: string;
}

export async function serveVerifier(options: VerifierOptions, version: string): Promise<void> {
  const { host, port } = options;
  const log = createLogger(options.log);
  const signal = firstSignal();
  const baseUrl = readBaseUrl(options.url);
  const verifier = open(options, baseUrl, log);
  const server = await listen(host, port, timesOf(options));
  const origin = originOf(host, server.port);
  const answer = nodeListener(verifier);
  server.use((request, response) => watchAnswer(answer(request, response), response, log));
  print(
    [
      `Local verifier ${version} of the Agent Identity Service is ready.`,
      `  API        ${origin}/api`,
      `  Service    ${baseUrl}`,
    ].join('\n'),
  );
  log({ level: 'info', event: 'listening', message: `Serving ${origin}` });
  if (!isLoopback(host)) {
    const message = `Others on the network reach ${host}: they need the API key, which they send without encryption.`;
    log({ level: 'warn', event: 'verifier_exposed', message });
  }
  verifier.confirm().catch((error: unknown) => announce(error, log));
  await stopAt(await signal, server, { end: () => undefined, close: verifier.close }, log);
}

function open(
  { name, authzen, authzenAgentDomain: agentDomain }: VerifierOptions,
  baseUrl: string,
  log: Logger,
): VerifierHost {
  refuseLostDomain({ ...(authzen && { authzen }), ...(agentDomain && { authzenAgentDomain: agentDomain }) });
  const apiKey = readCredential('AGENT_IDENTITY_API_KEY');
  if (apiKey === undefined) throw usageError('Set AGENT_IDENTITY_API_KEY to an API key.');
  try {
    return createVerifierHost({
      baseUrl,
      apiKey,
      name,
      log,
      ...(authzen && { authzen: agentDomain === undefined ? {} : { agentDomain } }),
    });
  } catch (error) {
    return nameSettings(error);
  }
}

function announce(error: unknown, log: Logger): void {
  const { code, message } =
    error instanceof IdentityError ? error : new IdentityError('internal', 'The service was not asked.');
  const text = `${message} The verifier continues, and asks the service again for each request.`;
  log({ level: 'warn', event: 'verifier_unconfirmed', message: text, code });
}
