import type { AccountOverview, OidcStart, Session } from '../../../../src/types.ts';
import { call, failure } from './api.ts';
import { beginSession, leave, metaOf } from './session.ts';

export const issuerLabel: string = metaOf('oidc');

interface Away {
  readonly transaction: string;
  readonly link?: string;
  readonly hash: string;
}

const PLACE = 'agent-identity-away';

/** Opens the sign-in page of the issuer. Only this tab can complete the sign-in. */
export async function goToIssuer(link?: string): Promise<void> {
  const { url, transaction } = await call<OidcStart>('POST', '/auth/oidc/start');
  const away: Away = { transaction, hash: link === undefined ? location.hash : '', ...(link && { link }) };
  sessionStorage.setItem(PLACE, JSON.stringify(away));
  location.assign(url);
  // The page of the issuer takes the place of this one.
  await new Promise(() => undefined);
}

/**
 * The answer of an issuer in the address. It is removed from the address at once, so that bookmarks and the history do
 * not store it.
 */
const response: string = takeResponse();

export const isBack: boolean = response !== '';

// The person who comes back may be another one than the session of this tab is for.
if (isBack && sessionStorage.getItem(PLACE) !== null) leave();

export async function comeBack(): Promise<void> {
  const kept = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (kept === null) throw failure(401, 'invalid_credentials', '');
  const { transaction, link, hash } = JSON.parse(kept) as Away;
  const body = { transaction, response, ...(link && { link }) };
  const { access_token } = await call<Session>('POST', '/auth/oidc/finish', { body });
  const headers = { authorization: `Bearer ${access_token}` };
  const { member } = await call<AccountOverview>('GET', '/account', { headers });
  beginSession({ token: access_token, email: member?.email ?? member?.name ?? '' });
  location.hash = hash;
}

function takeResponse(): string {
  const { search, pathname } = location;
  const query = new URLSearchParams(search);
  if (issuerLabel === '' || !query.has('state')) return '';
  history.replaceState(null, '', pathname);
  return search.slice(1);
}
