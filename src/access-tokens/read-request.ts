/** Reads the parameters of a token request. They are checked in this order: grant, resource, scope, assertion. */

import { fromBase64, fromPaddedBase64 } from '../base/bytes/base64.ts';
import {
  ASSERTION_GRANT,
  ASSERTION_TYPE,
  actionsOfScope,
  MAX_ACCESS_TOKEN_LENGTH,
  resourceNamed,
} from '../base/values/access-token.ts';
import { anyOf } from '../base/values/vocabulary.ts';
import { IdentityError } from '../errors.ts';
import type { AccessTokenError, AccessTokenRequest } from '../records/access-token.ts';

export const GRANT_TYPES: readonly string[] = ['client_credentials', ASSERTION_GRANT];

/** The unchecked credential of an agent: an assertion that its key signed, or an API key. */
export type AgentCredential =
  | { readonly assertion: string; readonly client_id: string | undefined }
  | { readonly agent_id: string; readonly apiKey: string };

export interface ReadRequest {
  /** The resource; `undefined` if the request names none, because the assertion may name one. */
  readonly resource: string | undefined;
  readonly actions: readonly string[] | undefined;
  /**
   * The credential of the agent. `undefined` if the request has only the `assertion` of a trusted issuer,
   * which may be enough to get a token.
   */
  readonly credential: AgentCredential | undefined;
  readonly assertion: string | undefined;
}

export function readTokenRequest({ parameters, authorization }: AccessTokenRequest): ReadRequest {
  const { grant_type, resource, scope, assertion } = parameters;
  if (grant_type === undefined) throw refused('invalid_request', 'The parameter grant_type is required.');
  if (!GRANT_TYPES.includes(grant_type)) {
    throw refused('unsupported_grant_type', `The grant_type must be ${anyOf(GRANT_TYPES)}.`);
  }
  const isAsserted = grant_type === ASSERTION_GRANT;
  if (isAsserted && assertion === undefined)
    throw refused('invalid_request', 'The parameter assertion is required.');
  const name = resource === undefined ? undefined : resourceNamed(resource);
  if (name === undefined && !(isAsserted && resource === undefined)) throw invalidTarget();
  const actions = scope === undefined ? undefined : actionsOfScope(scope);
  if (scope !== undefined && actions === undefined) {
    throw refused('invalid_scope', 'The scope must be at most 64 actions, separated by single spaces.');
  }
  const { client_assertion, client_secret } = parameters;
  const isBare = [client_assertion, client_secret, authorization].every(
    (credential) => credential === undefined,
  );
  const credential = isAsserted && isBare ? undefined : credentialOf(parameters, authorization);
  return { resource: name, actions, credential, assertion: isAsserted ? assertion : undefined };
}

export function invalidTarget(): IdentityError {
  return refused('invalid_target', 'The parameter resource must be one https URL.');
}

function credentialOf(
  { client_id, client_secret, client_assertion, client_assertion_type }: AccessTokenRequest['parameters'],
  authorization: string | undefined,
): AgentCredential {
  const sentCredentials = [client_assertion, client_secret, authorization].filter(
    (credential) => credential !== undefined,
  );
  if (sentCredentials.length > 1) throw refused('invalid_request', 'Send one credential.');
  if (authorization !== undefined) return basicCredential(authorization, client_id);
  if (client_assertion === undefined || client_assertion_type !== ASSERTION_TYPE) throw invalidClient();
  if (client_assertion.length > MAX_ACCESS_TOKEN_LENGTH) throw invalidClient();
  return { assertion: client_assertion, client_id };
}

function basicCredential(authorization: string, client_id: string | undefined): AgentCredential {
  const [agent_id, apiKey] = readBasic(authorization) ?? [];
  if (agent_id === undefined || apiKey === undefined) throw invalidClient();
  if (client_id !== undefined && client_id !== agent_id) throw invalidClient();
  return { agent_id, apiKey };
}

export function refused(error: AccessTokenError, message: string, decision_id?: string): IdentityError {
  return new IdentityError('token_refused', message, {
    details: { error, ...(decision_id !== undefined && { decision_id }) },
  });
}

/** Creates the error for a client that is not authenticated. The error is the same for every cause. */
export function invalidClient(decision_id?: string): IdentityError {
  return refused('invalid_client', 'The agent is not authenticated.', decision_id);
}

// Reads the header `Authorization` of the scheme Basic. Both parts are form-decoded (RFC 6749 section 2.3.1).

const MAX_LENGTH = 2_048;

/**
 * Returns the user and the password; `undefined` for any other text. If the user begins with `did:`, it is not decoded,
 * and the password begins after the last colon.
 */
export function readBasic(authorization: string): readonly [user: string, password: string] | undefined {
  const [scheme, encodedText, suffix] = authorization.split(' ');
  if (scheme?.toLowerCase() !== 'basic' || encodedText === undefined || suffix !== undefined)
    return undefined;
  const text = encodedText.length > MAX_LENGTH ? undefined : decoded(encodedText);
  if (text === undefined) return undefined;
  const isPlain = text.startsWith('did:');
  const colon = isPlain ? text.lastIndexOf(':') : text.indexOf(':');
  if (colon === -1) return undefined;
  const user = isPlain ? text.slice(0, colon) : formDecoded(text.slice(0, colon));
  const password = formDecoded(text.slice(colon + 1));
  return user === undefined || password === undefined ? undefined : [user, password];
}

function decoded(encodedText: string): string | undefined {
  const bytes = fromPaddedBase64(encodedText) ?? fromBase64(encodedText);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
