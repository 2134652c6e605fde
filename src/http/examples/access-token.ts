export const tokenFormExamples = {
  AccessTokenForm: {
    grant_type: 'client_credentials',
    resource: 'https://mcp.example/mcp',
    scope: 'orders.read',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'header.claims.signature',
  },
  IntrospectionForm: { token: 'header.claims.signature' },
} as const;

export const tokenResponseExamples = {
  StatusListToken: 'header.claims.signature',
  AccessToken: {
    access_token: 'header.claims.signature',
    token_type: 'Bearer',
    expires_in: 300,
    scope: 'orders.read',
  },
  Introspection: {
    active: true,
    token_type: 'Bearer',
    scope: 'orders.read',
    iss: 'https://id.example.com/api/issuers/example.com',
    aud: 'https://mcp.example/mcp',
    sub: 'did:web:example.com:agents:shopper',
    client_id: 'did:web:example.com:agents:shopper',
    iat: 1_795_952_000,
    exp: 1_795_952_300,
    jti: 'dec_7ikyOGIv5Dn0Qy0tlu00000003',
  },
  OauthError: { error: 'invalid_client', error_description: 'The agent is not authenticated.' },
} as const;
