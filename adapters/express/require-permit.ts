import type { IncomingMessage, ServerResponse } from 'node:http';
import { IdentityError } from '../../src/index.ts';
import type { Permit, PermitAction, PermitVerifier } from '../../src/tokens/proof/index.ts';

declare global {
  namespace Express {
    interface Request {
      /** The permit that `requirePermit` has verified. */
      permit?: Permit;
    }
  }
}

/**
 * Creates middleware that accepts a request only with a permit for exactly the action that `actionOf` reads from the
 * request.
 *
 * The permit is in the header `Agent-Permit`. After verification it is in `request.permit`. Without a valid permit, the
 * middleware answers 401 with a problem document (RFC 9457). Its member `problem` is a `PermitProblem`.
 */
export function requirePermit<Request = IncomingMessage>(
  verifyPermit: PermitVerifier,
  actionOf: (request: Request) => PermitAction | Promise<PermitAction>,
) {
  return async (
    request: Request & IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    try {
      // Node joins two headers of this name by a comma, which no token has.
      const token = request.headers['agent-permit'] as string | undefined;
      Object.assign(request, { permit: await verifyPermit(token, await actionOf(request)) });
    } catch (error) {
      if (!(error instanceof IdentityError) || error.code !== 'invalid_token') return next(error);
      refuse(response, error);
      return;
    }
    next();
  };
}

function refuse(response: ServerResponse, { code, message, details }: IdentityError): void {
  const type = `urn:agent-identity-service:problem:${code}`;
  const { problem } = details;
  response.writeHead(401, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'www-authenticate': 'Agent-Permit',
  });
  const body = { type, title: 'The permit is not valid', status: 401, detail: message, code, problem };
  response.end(JSON.stringify(body));
}
