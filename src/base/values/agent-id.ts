import { isPunycode } from './punycode.ts';

const AGENT_ID = /^did:web:([^:]*):agents:([^:]*)$/;
const AGENT_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LAST_LABEL = /\.[a-z][^.]*$/;
const PORT = /^%3A([1-9][0-9]{0,4})$/;

/** The hosts that `isDomain` accepts besides public domains. */
export interface DomainOptions {
  /** Accepts `localhost`, with or without port, for development. Default `false`. */
  readonly allowLocalhost?: boolean;
}

/** The two parts of an agent id. */
export interface AgentIdParts {
  readonly domain: string;
  readonly agent_name: string;
}

/** Returns `did:web:<domain>:agents:<agent_name>`. Both parts must be valid already. */
export function formatAgentId({ domain, agent_name }: AgentIdParts): string {
  return `did:web:${domain}:agents:${agent_name}`;
}

/**
 * Parses an agent id as `formatAgentId` writes it; `undefined` for any other text, and for parts that are not valid.
 */
export function parseAgentId(text: string, options: DomainOptions = {}): AgentIdParts | undefined {
  const [, domain = '', agent_name = ''] = AGENT_ID.exec(text) ?? [];
  return isDomain(domain, options) && isAgentName(agent_name) ? { domain, agent_name } : undefined;
}

/** Says whether the text is a domain of a passport: a host, then optionally `%3A` and a port. */
export function isDomain(text: string, options: DomainOptions = {}): boolean {
  const host = hostOf(text);
  const port = text.slice(host.length);
  if (port !== '' && !isPort(port)) return false;
  return isHost(host) || (host === 'localhost' && options.allowLocalhost === true);
}

/** Returns the domain without its port, which is the part that an account claims. */
export function hostOf(domain: string): string {
  const port = domain.indexOf('%');
  return port < 0 ? domain : domain.slice(0, port);
}

/**
 * Says whether the text is a domain without port: at most 253 characters, two or more lower-case LDH labels of at most
 * 63 each, the last one starting with a letter. An `xn--` label must be the Punycode of a text that is not ASCII.
 */
export function isHost(text: string): boolean {
  // Punycode is one-to-one, so `isPunycode` also ensures that an `xn--` label is the only spelling of its text.
  const isLabel = (label: string): boolean =>
    LABEL.test(label) && (!label.startsWith('xn--') || isPunycode(label.slice(4)));
  return text.length <= 253 && LAST_LABEL.test(text) && text.split('.').every(isLabel);
}

/** Says whether the text is `[a-z0-9][a-z0-9._-]{0,62}` and does not end in a dot. */
export function isAgentName(text: string): boolean {
  return AGENT_NAME.test(text) && !text.endsWith('.');
}

/**
 * Says whether the text is `%3A` and a port. 443 is refused: it is the default of `did:web`, and an agent has one name.
 */
function isPort(text: string): boolean {
  const port = Number(PORT.exec(text)?.[1] ?? 0);
  return port >= 1 && port <= 65_535 && port !== 443;
}
