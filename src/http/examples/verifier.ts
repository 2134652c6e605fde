import type { ConfirmInput, VerdictsInput } from '../../records/verifier.ts';

export interface VerifierRequestExamples {
  readonly VerifierRequest: ConfirmInput;
  readonly VerifierVerdicts: VerdictsInput;
}

/** Returns an example of each body that a local verifier sends. The encoded `block` reports three dropped records. */
export function verifierRequestExamples(agentId: string): VerifierRequestExamples {
  return {
    VerifierRequest: { turn: 17, agents: { [agentId]: null }, wait_ms: 0 },
    VerifierVerdicts: {
      writer: '9f86d081884c7d659a2feaa0c55ad015',
      seq: 1,
      block: 'AQ4BAwIAAwAEAAUBBgEHAggBCQQKAQsCDAAUAQ4JAAAAAAABAAABAltdAAAAAAGA0Oq2tzMAA7FIDi4',
    },
  };
}
