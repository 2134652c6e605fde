/**
 * Serves the public documents: the DID documents of domains and agents, the key sets of agents, and the
 * AuthZEN metadata of the service. The path and the domain of the request select a document.
 */

import type { AccessTokens } from '../access-tokens/access-tokens.ts';
import { AUTHZEN_WELL_KNOWN } from '../base/authzen.ts';
import { createBoundedMap } from '../base/bounded-map.ts';
import { ISSUER_MAX_AGE_SECONDS, issuerDomain, issuerOf } from '../base/values/access-token.ts';
import type { IdentityService, Published, PublishedAgent } from '../core.ts';
import { IdentityError } from '../errors.ts';
import { type ApiResponse, headerOf } from '../http/exchange.ts';
import { agentDocument, agentKeySet, domainDocument } from './documents.ts';
import { found, gone, type PublicText, problemOf, publicText } from './public-text.ts';

/** The parts of a request that select a document. */
export interface DocumentRequest {
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  readonly rawHeaders: readonly string[];
  /** The domain of the request, exactly as in the field `domain` of passports. */
  readonly domain: string | undefined;
}

/** A service that lists `identity`. */
export interface DocumentService extends Pick<IdentityService, 'serving'> {
  readonly published: Published;
}

/** The documents to serve. */
export interface DidOptions {
  /** Serves only the domains and agents of this account. Default: every account. */
  readonly account_id?: string;
}

/** Answers a request, or returns `undefined` for any other path. */
export type ServeDocuments = (request: DocumentRequest) => Promise<ApiResponse | undefined>;

export function createServeDocuments(
  service: DocumentService,
  { account_id }: DidOptions = {},
): ServeDocuments {
  const { published } = service;
  const { publicUrl, maxAgeSeconds } = published;
  const texts = new WeakMap<PublishedAgent, { readonly did: PublicText; readonly jwks: PublicText }>();

  const domainTexts = createBoundedMap<string, PublicText>(DOMAIN_TEXTS);

  function textsOf(agent: PublishedAgent) {
    const textBefore = texts.get(agent);
    if (textBefore !== undefined) return textBefore;
    const { version, state, public_keys } = agent;
    const isActive = state === 'active';
    const mark = `${version}-${state}-`;
    const result = {
      did: publicText(agentDocument({ ...agent, isActive, publicUrl }), mark),
      jwks: publicText(agentKeySet({ public_keys, isActive }), mark),
    };
    texts.set(agent, result);
    return result;
  }

  async function agentAnswer(request: DocumentRequest, name: string, kind: 'did' | 'jwks') {
    const { domain = '', rawHeaders } = request;
    const agent = await published.agent(domain, name, { account_id });
    if (agent === undefined) throw nothingHere();
    if (agent.state === 'revoked') return gone(rawHeaders, maxAgeSeconds);
    const mediaType = kind === 'did' ? didType(rawHeaders) : 'application/jwk-set+json';
    return found(textsOf(agent)[kind], { rawHeaders, mediaType, maxAgeSeconds });
  }

  async function domainAnswer({ domain = '', rawHeaders }: DocumentRequest) {
    const keys = await published.domain(domain, { account_id });
    if (keys === undefined) throw nothingHere();
    const name = [domain, ...keys.map(({ kid }) => kid)].join(' ');
    const text = domainTexts.get(name) ?? publicText(domainDocument({ domain, keys, publicUrl }));
    domainTexts.set(name, text);
    return found(text, { rawHeaders, mediaType: didType(rawHeaders), maxAgeSeconds });
  }

  async function tokenAnswer({ domain = '' }: DocumentRequest, owner: string): Promise<ApiResponse> {
    const token = await published.token(domain, owner);
    if (token === undefined) throw nothingHere();
    const headers = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'];
    return { status: 200, headers: [...headers, 'content-type', 'text/plain; charset=utf-8'], body: token };
  }

  const decisionPoint = decisionPointOf(service);

  const issuers = issuerDocuments(service, account_id);

  /** Returns the function that answers a request. Returns `undefined` for a path without a document. */
  function answerOf(request: DocumentRequest): (() => ApiResponse | Promise<ApiResponse>) | undefined {
    const { path, rawHeaders } = request;
    if (path === decisionPoint?.path) {
      const { document } = decisionPoint;
      return () => found(document, { rawHeaders, mediaType: 'application/json', maxAgeSeconds });
    }
    if (issuers !== undefined && path.startsWith(issuers.prefix)) return () => issuers.answer(request);
    // Domains are proved automatically only by a host that names the account whose domains it serves.
    if (path === TOKEN_PATH && account_id !== undefined) return () => tokenAnswer(request, account_id);
    if (path === DOMAIN_PATH) return () => domainAnswer(request);
    const [, name, kind] = AGENT_PATH.exec(path) ?? [];
    if (name === undefined) return undefined;
    return () => agentAnswer(request, name, kind === 'did' ? 'did' : 'jwks');
  }

  return async (request) => {
    const { method, rawHeaders } = request;
    const answer = answerOf(request);
    if (answer === undefined) return undefined;
    try {
      if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
      return await answer();
    } catch (error) {
      return problemOf(service, rawHeaders, error);
    }
  };
}

function decisionPointOf({ serving: { authzen } }: DocumentService) {
  const metadata = authzen?.metadata;
  // Never derived from the request: its Host header would choose where other services send their questions.
  return (
    metadata && {
      path: AUTHZEN_WELL_KNOWN + new URL(metadata.policy_decision_point).pathname.replace(/\/$/, ''),
      document: publicText(metadata),
    }
  );
}

const DOMAIN_TEXTS = 1_000;

const TOKEN_PATH = '/.well-known/agent-identity';
const DOMAIN_PATH = '/.well-known/did.json';
const AGENT_PATH = /^\/agents\/([^/]+)\/(did|jwks)\.json$/;

/**
 * Returns the media type. Some parsers accept only a type that contains `json`, and some resolvers ask for the DID
 * type. Both work.
 */
function didType(rawHeaders: readonly string[]): string {
  const acceptedNames = (headerOf(rawHeaders, 'accept') ?? '').toLowerCase().split(',');
  const isNamed = acceptedNames.some((range) => range.split(';', 1)[0]?.trim() === 'application/did+json');
  return isNamed ? 'application/did+json' : 'application/json';
}

export function nothingHere(): IdentityError {
  return new IdentityError('not_found', 'There is no document at this path.');
}

function methodNotAllowed(): IdentityError {
  const details = { allow: 'GET, HEAD' };
  return new IdentityError('method_not_allowed', 'This path takes GET, HEAD.', { details });
}

interface IssuerDocuments {
  readonly prefix: string;
  answer(request: { readonly path: string; readonly rawHeaders: readonly string[] }): Promise<ApiResponse>;
}

const WELL_KNOWN = '/.well-known/oauth-authorization-server';

function issuerDocuments(
  service: DocumentService & { readonly tokens?: AccessTokens },
  account_id: string | undefined,
): IssuerDocuments | undefined {
  const { published, tokens } = service;
  if (tokens === undefined || published.publicUrl === undefined) return undefined;
  const prefix = WELL_KNOWN + new URL(issuerOf(published.publicUrl, '')).pathname;
  return {
    prefix,
    async answer({ path, rawHeaders }) {
      const domain = issuerDomain(path.slice(prefix.length));
      if ((await published.domain(domain, { account_id })) === undefined) {
        throw nothingHere();
      }
      const document = publicText(tokens.metadata(domain));
      return found(document, {
        rawHeaders,
        mediaType: 'application/json',
        maxAgeSeconds: ISSUER_MAX_AGE_SECONDS,
      });
    },
  };
}
