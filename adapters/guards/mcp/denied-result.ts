import type { AskedApproval, IdentityError, VerdictRecord } from '../../../src/guard/index.ts';

/** The member of `_meta` that names an approval: in a result the one that a person is asked, in a call the one to use. */
export const APPROVAL_ID = 'agent-identity/approval_id';

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
    /** What a person is asked, so that the call may come again with it. */
    readonly [APPROVAL_ID]?: string;
  };
  /** Of the protocol version 2026-07-28, where the request is. */
  readonly resultType?: 'complete';
}

/** What programs are told of a call that was stopped by this `tool_denied`. */
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

/** The result of a call that was stopped by this `tool_denied`; `params` are those of the call. */
export function deniedResult(error: IdentityError, params: unknown): DeniedResult {
  const { _meta } = Object(params) as { readonly _meta?: unknown };
  const { 'io.modelcontextprotocol/protocolVersion': version } = Object(_meta) as Readonly<
    Record<string, unknown>
  >;
  const { approval } = error.details;
  const where = approval === undefined ? '' : ` Over MCP it is named by _meta["${APPROVAL_ID}"].`;
  return {
    isError: true,
    content: [{ type: 'text', text: error.message + where }],
    _meta: { 'agent-identity/verdict': 'DENY', ...deniedMeta(error) },
    ...(typeof version === 'string' && version >= '2026-07-28' && { resultType: 'complete' as const }),
  };
}
