import type { AskedApproval, IdentityError, VerdictRecord } from '../../../src/guard/index.ts';

/**
 * The member of `_meta` with the id of an approval. In a result it is the requested approval, and in a call the
 * approval to use.
 */
export const APPROVAL_ID = 'agent-identity/approval_id';

/** The tool result for a call that a guard has stopped. */
export interface DeniedResult {
  /** Always `true`, because the tool did not run. */
  readonly isError: true;
  /** The text for the model. */
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  /** The data for programs. */
  readonly _meta: {
    /** Marks the result as the answer of a guard. */
    readonly 'agent-identity/verdict': 'DENY';
    /** The id of the verdict; `null` if there was no verdict. */
    readonly 'agent-identity/decision_id': string | null;
    /** The id of the requested approval. A repeated call must name it. */
    readonly [APPROVAL_ID]?: string;
  };
  /** Set for requests of the protocol version 2026-07-28. */
  readonly resultType?: 'complete';
}

/** Returns the `_meta` members for programs from a `tool_denied` error. */
export function deniedMeta({
  details,
}: IdentityError): Omit<DeniedResult['_meta'], 'agent-identity/verdict'> {
  const record = details['record'] as VerdictRecord | null;
  const approval = details['approval'] as AskedApproval | undefined;
  return {
    'agent-identity/decision_id': record?.decision_id ?? null,
    ...(approval && { [APPROVAL_ID]: approval.id }),
  };
}

/** Returns the result for a call that a `tool_denied` error has stopped. `params` are the params of the call. */
export function deniedResult(error: IdentityError, params: unknown): DeniedResult {
  const { _meta } = Object(params) as { readonly _meta?: unknown };
  const { 'io.modelcontextprotocol/protocolVersion': version } = Object(_meta) as Readonly<
    Record<string, unknown>
  >;
  const { approval } = error.details;
  const place = approval === undefined ? '' : ` Over MCP it is named by _meta["${APPROVAL_ID}"].`;
  return {
    isError: true,
    content: [{ type: 'text', text: error.message + place }],
    _meta: { 'agent-identity/verdict': 'DENY', ...deniedMeta(error) },
    ...(typeof version === 'string' && version >= '2026-07-28' && { resultType: 'complete' as const }),
  };
}
