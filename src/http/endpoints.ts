import { analyticsOperations } from '../analytics/operations.ts';
import { accountOperations } from '../core/accounts/operations.ts';
import { approvalOperations } from '../core/approvals/operations.ts';
import { auditOperations, verificationOperations } from '../core/insight/operations.ts';
import { keyOperations } from '../core/keys/operations.ts';
import { passportOperations, stateOperations } from '../core/passports/operations.ts';
import { spendOperations } from '../core/spending/operations.ts';
import { domainOperations } from '../domains/operations.ts';
import { purgeOperations, subjectOperations } from '../erasure/operations.ts';
import { evidenceOperations, receiptOperations } from '../evidence/operations.ts';
import { signOperations } from '../identity/operations.ts';
import { deletionOperations, memberOperations, passwordOperations } from '../people/operations.ts';
import { replayOperations } from '../replay/operations.ts';
import { webhookOperations } from '../webhooks/operations.ts';
import type { Endpoint } from './endpoint.ts';
import { accessEndpoints } from './endpoints/access.ts';
import { authEndpoints } from './endpoints/auth.ts';
import { domainEndpoints } from './endpoints/domains.ts';
import { eventEndpoints } from './endpoints/events.ts';
import { logEndpoints } from './endpoints/log.ts';
import { memberEndpoints } from './endpoints/members.ts';
import { outcomeEndpoints } from './endpoints/outcomes.ts';
import { serviceEndpoints } from './endpoints/service.ts';
import { signingEndpoints } from './endpoints/signing.ts';
import { tokenEndpoints } from './endpoints/tokens.ts';
import { verdictEndpoints } from './endpoints/verdicts.ts';
import { verifierEndpoints } from './endpoints/verifiers.ts';
import { endpointsOf } from './from-operation.ts';

/** All endpoints. Every binding (Express, fetch, node) serves them, and the OpenAPI document describes them. */
export const endpoints: readonly Endpoint[] = [
  ...verdictEndpoints,
  ...endpointsOf(stateOperations),
  ...accessEndpoints,
  ...verifierEndpoints,
  ...outcomeEndpoints,
  ...endpointsOf(spendOperations),
  ...endpointsOf(approvalOperations),
  ...endpointsOf(passportOperations),
  ...endpointsOf(purgeOperations),
  ...endpointsOf(replayOperations),
  ...endpointsOf(signOperations),
  ...domainEndpoints,
  ...endpointsOf(domainOperations),
  ...endpointsOf(keyOperations),
  ...authEndpoints,
  ...endpointsOf(passwordOperations),
  ...endpointsOf(accountOperations),
  ...endpointsOf(deletionOperations),
  ...endpointsOf(memberOperations),
  ...memberEndpoints,
  ...endpointsOf(analyticsOperations),
  ...endpointsOf(subjectOperations),
  ...endpointsOf(verificationOperations),
  ...endpointsOf(auditOperations),
  ...eventEndpoints,
  ...logEndpoints,
  ...endpointsOf(evidenceOperations),
  ...endpointsOf(receiptOperations),
  ...endpointsOf(webhookOperations),
  ...signingEndpoints,
  ...tokenEndpoints,
  ...serviceEndpoints,
];
