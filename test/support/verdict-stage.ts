import { type Answer, issue, makeKey } from './api.ts';
import { openStage, type Stage } from './malformed.ts';

export const AGENT = 'did:web:example.com:agents:shopper';

/** A passport and a key that asks about it. */
export interface VerdictStage extends Stage {
  readonly key: string;
  readonly key_id: string;
  verify(intent: object): Promise<Answer>;
  /** The intent as text, so that its numbers are what they are. */
  verifyText(parameters: string): Promise<Answer>;
}

export async function openVerdictStage(
  passport: object = {},
  options: Parameters<typeof openStage>[0] = {},
): Promise<VerdictStage> {
  const stage = await openStage(options);
  await issue(stage.api, stage.token, passport);
  const { key, id } = await makeKey(stage.api, stage.token);
  const base = { agent_id: AGENT, action: 'payments.create' };
  return {
    ...stage,
    key,
    key_id: id,
    verify: (intent) => stage.api.ask('POST', '/verify', { key, json: { ...base, ...intent } }),
    verifyText: (parameters) =>
      stage.api.ask('POST', '/verify', {
        key,
        body: `${JSON.stringify(base).slice(0, -1)},"parameters":${parameters}}`,
      }),
  };
}

/** The codes of the reasons of a verdict. */
export function codes({ body }: Answer): readonly string[] {
  return (body['reasons'] as readonly { readonly code: string }[]).map(({ code }) => code);
}
