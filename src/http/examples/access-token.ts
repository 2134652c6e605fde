/** The examples of the token endpoint. */

export const tokenFormExample = {
  grant_type: 'client_credentials',
  resource: 'https://mcp.example/mcp',
  scope: 'orders.read',
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: 'header.claims.signature',
} as const;

/** The answers, and a list of the states of signed passports. */
export const tokenResponseExamples = {
  StatusListToken: 'header.claims.signature',
  AccessToken: {
    access_token: 'header.claims.signature',
    token_type: 'Bearer',
    expires_in: 300,
    scope: 'orders.read',
  },
  OauthError: { error: 'invalid_client', error_description: 'The agent is not authenticated.' },
} as const;
