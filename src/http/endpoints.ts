import { webhookOperations } from '../webhooks/operations.ts';
import type { Endpoint } from './endpoint.ts';
import { accessEndpoints } from './endpoints/access.ts';
import { approvalEndpoints } from './endpoints/approvals.ts';
import { authEndpoints } from './endpoints/auth.ts';
import { domainEndpoints } from './endpoints/domains.ts';
import { eventEndpoints } from './endpoints/events.ts';
import { insightEndpoints } from './endpoints/insight.ts';
import { keyEndpoints } from './endpoints/keys.ts';
import { logEndpoints } from './endpoints/log.ts';
import { memberEndpoints } from './endpoints/members.ts';
import { outcomeEndpoints } from './endpoints/outcomes.ts';
import { passportEndpoints } from './endpoints/passports.ts';
import { serviceEndpoints } from './endpoints/service.ts';
import { signingEndpoints } from './endpoints/signing.ts';
import { spendEndpoints } from './endpoints/spends.ts';
import { tokenEndpoints } from './endpoints/tokens.ts';
import { verdictEndpoints } from './endpoints/verdicts.ts';
import { verifierEndpoints } from './endpoints/verifiers.ts';
import { endpointsOf } from './from-operation.ts';

/** The table of all endpoints: every binding (Express, fetch, node) serves it, and the OpenAPI document describes it. */
export const endpoints: readonly Endpoint[] = [
  ...verdictEndpoints,
  ...accessEndpoints,
  ...verifierEndpoints,
  ...outcomeEndpoints,
  ...spendEndpoints,
  ...approvalEndpoints,
  ...passportEndpoints,
  ...domainEndpoints,
  ...keyEndpoints,
  ...authEndpoints,
  ...memberEndpoints,
  ...insightEndpoints,
  ...eventEndpoints,
  ...logEndpoints,
  ...endpointsOf(webhookOperations),
  ...signingEndpoints,
  ...tokenEndpoints,
  ...serviceEndpoints,
];
