/** Asks a person over MCP for an approval on a page that the client opens. The reply of the client approves nothing. */
import type { AskedApproval, IdentityError, ToolGuard } from '../../../src/guard/index.ts';

const ASKED = 'agent-identity/approval';
const PREFIX = 'ais1.';
const MESSAGE = 'A person must approve this call of a tool.';
/** The time for which a repeated call waits for the decision of a person. */
const WAIT_MS = 20_000;
const POLL_MS = 500;
const NEW_PROTOCOL = '2026-07-28';

/** The members of an MCP message. */
export type MessageMembers = Readonly<Record<string, unknown>>;

/** The params of a call, without the members that belong to the guard. */
export interface AskedParams {
  readonly params: MessageMembers;
  /**
   * The state of the call. With `invalid`, the request state belongs to another call. With `declined`, the person has
   * closed the page.
   */
  readonly state: 'none' | 'continued' | 'declined' | 'invalid';
}

/** Asks people over one connection. */
export interface Elicitations {
  /** Inspects a message from the client. The message `initialize` says whether the client can open pages. */
  hears(message: MessageMembers): void;
  /** Reads the params of a call. Returns a promise only if the params contain a state of the guard. Never rejects. */
  read(params: MessageMembers): AskedParams | Promise<AskedParams>;
  /**
   * Returns the message that asks a person about a denied call; `undefined` if the client cannot open pages. Never
   * rejects.
   */
  question(id: unknown, params: MessageMembers, error: IdentityError): Promise<MessageMembers | undefined>;
  /**
   * Waits until a person has decided, and then calls `send` with a notice. The wait ends early if `isOpen` says that
   * the session has ended.
   */
  notice(error: IdentityError, send: (message: MessageMembers) => unknown, isOpen: () => boolean): void;
}

/** Creates the `Elicitations` of one connection of a guard. */
export function createElicitations(guard: ToolGuard): Elicitations {
  let isDeclared = false;

  return {
    hears({ method, params }) {
      if (method !== 'initialize') return;
      const { protocolVersion, capabilities } = membersOf(params);
      const { url } = membersOf(membersOf(capabilities)['elicitation']);
      isDeclared = url !== undefined && String(protocolVersion) >= '2025-11-25';
    },
    read(input) {
      const isOwn = String(input['requestState']).startsWith(PREFIX);
      return isOwn ? readState(input) : { params: input, state: 'none' };
    },
    async question(id, params, error) {
      const approval = pageIn(error);
      if (approval === undefined) return undefined;
      const { url } = approval;
      const how = modeOf(params, isDeclared);
      if (how === undefined) return undefined;
      if (how === 'error') {
        const elicitations = [{ mode: 'url', elicitationId: approval.id, url, message: MESSAGE }];
        return { jsonrpc: '2.0', id, error: { code: -32_042, message: MESSAGE, data: { elicitations } } };
      }
      const request = { method: 'elicitation/create', params: { mode: 'url', message: MESSAGE, url } };
      const result = {
        resultType: 'input_required',
        inputRequests: { [ASKED]: request },
        requestState: await stateOf(approval.id, params),
      };
      return { jsonrpc: '2.0', id, result };
    },
    notice(error, send, isOpen) {
      const approval = pageIn(error);
      if (approval === undefined) return;
      const { id: elicitationId, expires_at } = approval;
      void untilDecided(guard, approval.id, Date.parse(expires_at) - Date.now(), isOpen).then((isDecided) => {
        const params = { elicitationId };
        if (isDecided && isOpen())
          send({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params });
      });
    },
  };
}

async function readState(input: MessageMembers): Promise<AskedParams> {
  const { requestState, inputResponses, ...otherFields } = input;
  const { [ASKED]: response, ...otherResponses } = membersOf(inputResponses);
  const params =
    Object.keys(otherResponses).length === 0
      ? otherFields
      : { ...otherFields, inputResponses: otherResponses };
  const [, id = ''] = /^ais1\.(apr_[\w-]{1,64})\.[\w-]{43}$/.exec(String(requestState)) ?? [];
  if (requestState !== (await stateOf(id, input))) return { params, state: 'invalid' };
  const { action } = membersOf(response);
  return { params, state: action === 'decline' || action === 'cancel' ? 'declined' : 'continued' };
}

/** Waits until a person has decided on a repeated call, at most as long as clients wait for an answer. */
export async function waitForPerson(
  guard: ToolGuard,
  error: IdentityError,
  signal: AbortSignal,
): Promise<void> {
  const approval = pageIn(error);
  if (approval !== undefined) await untilDecided(guard, approval.id, WAIT_MS, () => !signal.aborted);
}

/** Reads the approval until it is decided or the time is over. Never rejects. */
async function untilDecided(
  guard: ToolGuard,
  id: string,
  ms: number,
  isOpen: () => boolean,
): Promise<boolean> {
  const end = Date.now() + ms;
  while (isOpen() && Date.now() < end) {
    if ((await guard.approvalStatus?.(id)) !== 'pending') return true;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      (timer as { unref?: () => void }).unref?.();
    });
  }
  return false;
}

/** Says in which form this client accepts a question; `undefined` if it cannot open pages. */
function modeOf({ _meta }: MessageMembers, isDeclared: boolean): 'result' | 'error' | undefined {
  const meta = membersOf(_meta);
  const version = meta['io.modelcontextprotocol/protocolVersion'];
  const { elicitation } = membersOf(meta['io.modelcontextprotocol/clientCapabilities']);
  if (membersOf(elicitation)['url'] !== undefined) return 'result';
  const isNew = typeof version === 'string' && version >= NEW_PROTOCOL;
  return isDeclared && !isNew ? 'error' : undefined;
}

function pageIn({ details }: IdentityError): AskedApproval | undefined {
  const approval = details['approval'] as AskedApproval | undefined;
  return approval?.url === undefined ? undefined : approval;
}

async function stateOf(id: string, { name, arguments: args }: MessageMembers): Promise<string> {
  const bytes = new TextEncoder().encode(sorted([name, args]));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const text = btoa(String.fromCharCode(...digest));
  return `${PREFIX}${id}.${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${sorted((value as MessageMembers)[name])}`).join()}}`;
}

function membersOf(value: unknown): MessageMembers {
  return Object(value) as MessageMembers;
}
