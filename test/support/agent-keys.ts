/** Public keys of agents; their private parts are not known. */
import type { AgentKey } from '../../src/types.ts';

/** On Ed25519. */
export const ED25519_KEYS: readonly [AgentKey, AgentKey] = [
  {
    kty: 'OKP',
    crv: 'Ed25519',
    x: 'o22mvl-c4bi6jIOwWAoho1g9_A3J2ifopUI1t4SbIvc',
    kid: 'n3hVptYdC3_yZN9LmcnhwEZo-Z-eFX-y4SP6YP2ggfI',
    alg: 'EdDSA',
  },
  {
    kty: 'OKP',
    crv: 'Ed25519',
    x: 'W2TudxqWbP--ysR2dBYdQqpi8PD3bgO4aAwhYze76R4',
    kid: 'CgLWJm6HZOCe02D85b-YN5YZIFPvkkurJEMx8j-NgUM',
    alg: 'EdDSA',
  },
];

/** On P-256. */
export const P256_KEYS: readonly [AgentKey, AgentKey] = [
  {
    kty: 'EC',
    crv: 'P-256',
    x: 'pWj-2POfz4qXAEy90HEgwadDf7ItYMEk278js120H6k',
    y: 'hIDA0dqsI6O25bCcNM1m1MDVf8wgfqSuqoA76qDz3AM',
    kid: 'JuPvOZ2YBQmQ-MRssecLxaSk1Zs2AosLmkzFxleGYnE',
    alg: 'ES256',
  },
  {
    kty: 'EC',
    crv: 'P-256',
    x: '38lWUaJ9QkW0N1KMpkW6laBTGvUoZkMw_8CXUpqh5d4',
    y: 'mYg7iALXth8FQA697qSZiIaz1Fh3qUC7TKWTNp6-DiA',
    kid: 'hl97PP_Yd0KlfcFBo-RNN6p0P07NVaDxinb1VY95xxw',
    alg: 'ES256',
  },
];
