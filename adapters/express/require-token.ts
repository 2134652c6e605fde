import type { IncomingMessage, ServerResponse } from 'node:http';
import { knownOptions, type OptionNames } from '../../src/http/binding.ts';
import type { Access, AccessAuthInfo, AccessNeeds, TokenVerifier } from '../../src/tokens/index.ts';

declare global {
  namespace Express {
    interface Request {
      /** The agent in the token that `requireToken` has verified. */
      access?: Access;
    }
  }
}

/** The request members that Express adds. */
export interface TokenRequest extends IncomingMessage {
  readonly originalUrl?: string;
  access?: Access;
  auth?: AccessAuthInfo;
}

/**
 * Creates middleware that accepts a request only with an access token for this resource and the actions in `scope`. Any
 * other request gets 401, 403 or 503. The agent of an accepted request is in `request.access`, and `request.auth` has
 * the form that MCP SDKs pass to tools. The middleware also serves the metadata of the resource.
 *
 * @throws {IdentityError} `invalid_configuration` for an unknown option.
 */
export function requireToken(verifyToken: TokenVerifier, needs: AccessNeeds = {}) {
  const knownNeeds = knownOptions('requireToken', needs, NEEDS);
  return async (
    request: TokenRequest,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    const { method = 'GET', headers, url = '/', originalUrl = url } = request;
    const metadata = method === 'GET' ? verifyToken.metadata({ url: originalUrl }) : undefined;
    if (metadata !== undefined) return send(response, metadata);
    const get = (name: string): string | null => {
      const value = headers[name];
      return typeof value === 'string' ? value : null;
    };
    const access = await verifyToken({ method, url: originalUrl, headers: { get } }, knownNeeds);
    if (access instanceof Response) return send(response, access);
    const [, token = ''] = (get('authorization') ?? '').split(' ');
    Object.assign(request, { access, auth: verifyToken.authInfo(access, token) });
    next();
  };
}

const NEEDS: OptionNames<AccessNeeds> = { scope: true };

async function send(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}
