import type { VerdictRecord } from '../../../src/guard/index.ts';

/** What a call that was stopped gives: a result of the tool that says so. */
export interface DeniedResult {
  /** It is no answer of the tool. */
  readonly isError: true;
  /** The text for the model. */
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  /** For programs. */
  readonly _meta: {
    /** That it comes from a guard. */
    readonly 'agent-identity/verdict': 'DENY';
    /** `null` where there was no verdict. */
    readonly 'agent-identity/decision_id': string | null;
  };
  /** Of the protocol version 2026-07-28, where the request is. */
  readonly resultType?: 'complete';
}

/** The result of a call that was stopped; `params` are those of the call. */
export function deniedResult(text: string, record: VerdictRecord | null, params: unknown): DeniedResult {
  const { _meta } = Object(params) as { readonly _meta?: unknown };
  const { 'io.modelcontextprotocol/protocolVersion': version } = Object(_meta) as Readonly<
    Record<string, unknown>
  >;
  return {
    isError: true,
    content: [{ type: 'text', text }],
    _meta: {
      'agent-identity/verdict': 'DENY',
      'agent-identity/decision_id': record?.decision_id ?? null,
    },
    ...(typeof version === 'string' && version >= '2026-07-28' && { resultType: 'complete' as const }),
  };
}
