/** Creates the answers of a resource that refuses a request (RFC 6750, RFC 9449, RFC 9728). */

export type AccessRefusal =
  | 'invalid_token'
  | 'invalid_dpop_proof'
  | 'insufficient_scope'
  | 'temporarily_unavailable';

export interface ChallengeFacts {
  readonly metadataUrl: string;
  /** The reason of the refusal. Absent if the request has no token. */
  readonly error?: AccessRefusal;
  readonly scope: readonly string[];
}

const STATUSES: Readonly<Record<AccessRefusal, number>> = {
  invalid_token: 401,
  invalid_dpop_proof: 401,
  insufficient_scope: 403,
  temporarily_unavailable: 503,
};

/** Creates the answer. It contains no part of the token. */
export function challengeOf({ metadataUrl, error, scope }: ChallengeFacts): Response {
  const status = error === undefined ? 401 : STATUSES[error];
  const headers = new Headers({ 'cache-control': 'no-store', 'content-type': 'application/json' });
  if (status === 503) headers.set('retry-after', '1');
  else {
    const parameters = [
      `resource_metadata="${metadataUrl}"`,
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(scope.length === 0 ? [] : [`scope="${scope.join(' ')}"`]),
    ];
    // Bearer first: version 1 of the MCP SDK reads nothing else.
    headers.set('www-authenticate', `Bearer ${parameters.join(', ')}, DPoP algs="EdDSA ES256"`);
  }
  return new Response(JSON.stringify({ error: error ?? 'unauthorized' }), { status, headers });
}
