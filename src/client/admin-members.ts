/** The members of the account and their links, over HTTP. */
import type { ReadLink } from '../records/member.ts';
import type { AcceptInput, AccountVerbs, AdminMembers, LinkInput, Session } from '../service.ts';
import type { AdminRequests } from './admin-requests.ts';
import { toBody } from './admin-requests.ts';
import { pathOf } from './path-of.ts';
import { queryOf } from './query.ts';
import { checkedSignal, type RequestOptions, type Transport } from './transport.ts';

/** Makes the methods of members over these requests. */
export function adminMembersOf({ change, list }: AdminRequests): AdminMembers {
  return {
    list: (query = {}, options) => list('/members', query, options),
    invite: (input, options) =>
      change('POST', '/members', { input, options, success: 201, holds: ['member', 'link'] }),
    link: (id, options) =>
      change('POST', pathOf`/members/${id}/link`, { options, success: 201, holds: ['token', 'expires_at'] }),
    update: (id, input, options) =>
      change('PATCH', pathOf`/members/${id}`, { input, options, success: 200, holds: ['id', 'role'] }),
    async remove(id, removal = {}, options) {
      await change('DELETE', `${pathOf`/members/${id}`}${queryOf(removal)}`, { options, success: 204 });
    },
    async endSessions(id, options) {
      await change('DELETE', pathOf`/members/${id}/sessions`, { options, success: 204 });
    },
  };
}

/** Makes the methods of links. Their holder has no credential: they are sent without the session of the account. */
export function adminLinksOf({
  send,
  notThisAnswer,
}: Transport): Pick<AccountVerbs, 'readLink' | 'acceptLink'> {
  async function post<Answer>(
    path: string,
    { input, options, holds }: { input: object; options: RequestOptions | undefined; holds: string },
  ): Promise<Answer> {
    const call = { method: 'POST', path, body: toBody(input), success: 200, isRepeatable: false } as const;
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
