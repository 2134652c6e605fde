/** Creates the methods for links over HTTP. People use links to join an account. */
import { jsonData, jsonText, MAX_BODY_MEMBERS } from '../base/values/json-data.ts';
import type { AcceptInput, LinkInput, Session } from '../core.ts';
import type { AccountLogins } from '../people/index.ts';
import type { ReadLink } from '../records/member.ts';
import { checkedSignal, type RequestOptions, type Transport } from './transport.ts';

/**
 * Creates the methods for links. The person with a link has no credential, so the requests are sent without the session
 * of the account.
 */
export function linksOf({ send, notThisAnswer }: Transport): Pick<AccountLogins, 'readLink' | 'acceptLink'> {
  async function post<Answer>(
    path: string,
    { input, options, holds }: { input: object; options: RequestOptions | undefined; holds: string },
  ): Promise<Answer> {
    const call = {
      method: 'POST',
      path,
      body: jsonText(jsonData(input, MAX_BODY_MEMBERS)),
      success: 200,
      isRepeatable: false,
    } as const;
    const answer = await send({ ...call, ...checkedSignal(options) });
    if (!Object.hasOwn(Object(answer), holds)) throw notThisAnswer();
    return answer as Answer;
  }

  return {
    readLink: (input: LinkInput, options?: RequestOptions) =>
      post<ReadLink>('/auth/link', { input, options, holds: 'resets' }),
    acceptLink: (input: AcceptInput, options?: RequestOptions) =>
      post<Session>('/auth/accept', { input, options, holds: 'access_token' }),
  };
}
