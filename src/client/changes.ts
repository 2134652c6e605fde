/** The changes that a key may make over HTTP, and the token that it may request. */
import { jsonData, jsonText, MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import type {
  ReinstateInput,
  Reinstatement,
  Revocation,
  RevokeInput,
  SuspendInput,
  Suspension,
} from '../records/state.ts';
import type { SignedPassportToken, SignPassportInput } from '../records/token.ts';
import { type ChangedState, isSignedPassport, isStateOf } from './answers.ts';
import { pathOf } from './path-of.ts';
import type { ClientRequest, RequestOptions } from './transport.ts';

/** The changes of the state of a passport. */
export interface StateChanges {
  /** Revokes a passport for good. Changes are sent once; after a broken connection they can be repeated. */
  revoke(input: RevokeInput, options?: RequestOptions): Promise<Revocation>;
  /** Suspends a passport, until an instant or until it is reinstated. */
  suspend(input: SuspendInput, options?: RequestOptions): Promise<Suspension>;
  /** Ends a suspension. */
  reinstate(input: ReinstateInput, options?: RequestOptions): Promise<Reinstatement>;
}

/** The changes that a key may make, each with its scope. */
export interface ClientChanges extends StateChanges {
  /**
   * Signs the passport in its present state, as a token that others can verify on their own. The key needs the scope
   * `sign`.
   */
  sign(agentId: string, input?: SignPassportInput, options?: RequestOptions): Promise<SignedPassportToken>;
}

/** Sends a body, and returns the answer. */
type Post = (
  path: string,
  body: ClientRequest['body'],
  options: RequestOptions | undefined,
) => Promise<unknown>;

/** Makes the methods that change something, or make a token. */
export function changesOf(post: Post, notThisAnswer: () => Error): ClientChanges {
  return {
    ...stateChangesOf((path, input, options) => post(path, jsonText(input), options), notThisAnswer),
    async sign(agentId, given = {}, options) {
      const input = jsonData(given, MAX_BODY_MEMBERS);
      const answer = await post(pathOf`/passports/${agentId}/sign`, jsonText(input), options);
      if (!isSignedPassport(answer)) throw notThisAnswer();
      return answer;
    },
  };
}

/** Makes the methods that change the state of a passport; `send` sends an input that is plain data. */
export function stateChangesOf(
  send: (path: string, input: ReinstateInput, options: RequestOptions | undefined) => Promise<unknown>,
  notThisAnswer: () => Error,
): StateChanges {
  async function change<State extends ChangedState>(
    path: string,
    given: ReinstateInput,
    statuses: readonly State['status'][],
    options: RequestOptions | undefined,
  ): Promise<State> {
    const input = jsonData(given, MAX_BODY_MEMBERS) as ReinstateInput;
    const answer = await send(path, input, options);
    if (!isStateOf<State>(answer, input, statuses)) throw notThisAnswer();
    return answer;
  }

  return {
    revoke: (input, options) => change('/revoke', input, ['revoked'], options),
    suspend: (input, options) => change('/suspend', input, ['suspended'], options),
    reinstate: (input, options) => change('/reinstate', input, ['active', 'expired'], options),
  };
}
