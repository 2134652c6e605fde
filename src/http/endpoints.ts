import type { Endpoint } from './endpoint.ts';
import { authEndpoints } from './endpoints/auth.ts';
import { insightEndpoints } from './endpoints/insight.ts';
import { keyEndpoints } from './endpoints/keys.ts';
import { passportEndpoints } from './endpoints/passports.ts';
import { serviceEndpoints } from './endpoints/service.ts';
import { verdictEndpoints } from './endpoints/verdicts.ts';

/** The API as a table: every face serves it, the OpenAPI document describes it. */
export const endpoints: readonly Endpoint[] = [
  ...verdictEndpoints,
  ...passportEndpoints,
  ...keyEndpoints,
  ...authEndpoints,
  ...insightEndpoints,
  ...serviceEndpoints,
];
