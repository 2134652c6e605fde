import { isPunycode } from './punycode.ts';

const AGENT_ID = /^did:web:([^:]*):agents:([^:]*)$/;
const AGENT_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LAST_LABEL = /\.[a-z][^.]*$/;
const PORT = /^%3A([1-9][0-9]{0,4})$/;

/** What `isDomain` takes beyond public domains. */
export interface DomainOptions {
  /** Takes `localhost`, with or without port, for development. Default `false`. */
  readonly allowLocalhost?: boolean;
}

/** The two parts of an agent id. */
export interface AgentIdParts {
  readonly domain: string;
  readonly agent_name: string;
}

/** `did:web:<domain>:agents:<agent_name>`; both parts must already be valid. */
export function formatAgentId({ domain, agent_name }: AgentIdParts): string {
  return `did:web:${domain}:agents:${agent_name}`;
}

/** The parts that `formatAgentId` made this text of, or `undefined` when it made it of no valid parts. */
export function parseAgentId(text: string, options: DomainOptions = {}): AgentIdParts | undefined {
  const [, domain = '', agent_name = ''] = AGENT_ID.exec(text) ?? [];
  return isDomain(domain, options) && isAgentName(agent_name) ? { domain, agent_name } : undefined;
}

/** Whether the text is a domain of a passport: a host, then optionally `%3A` and a port. */
export function isDomain(text: string, options: DomainOptions = {}): boolean {
  const host = hostOf(text);
  const port = text.slice(host.length);
  if (port !== '' && !isPort(port)) return false;
  return isHost(host) || (host === 'localhost' && options.allowLocalhost === true);
}

/** The domain without its port: what an account claims. */
export function hostOf(domain: string): string {
  const port = domain.indexOf('%');
  return port < 0 ? domain : domain.slice(0, port);
}

/**
 * Whether the text is a domain without port: at most 253 characters, two or more lower-case LDH labels of at most
 * 63, the last one beginning with a letter. An `xn--` label must be the Punycode of a text that is not ASCII.
 */
export function isHost(text: string): boolean {
  // Punycode is one-to-one, so this also says that an `xn--` label is the one spelling of its text.
  const isLabel = (label: string): boolean =>
    LABEL.test(label) && (!label.startsWith('xn--') || isPunycode(label.slice(4)));
  return text.length <= 253 && LAST_LABEL.test(text) && text.split('.').every(isLabel);
}

/** Whether the text is `[a-z0-9][a-z0-9._-]{0,62}` and does not end in a dot. */
export function isAgentName(text: string): boolean {
  return AGENT_NAME.test(text) && !text.endsWith('.');
}

/** 443 is left out because `did:web` means it when no port is named: one agent, one name. */
function isPort(text: string): boolean {
  const port = Number(PORT.exec(text)?.[1] ?? 0);
  return port >= 1 && port <= 65_535 && port !== 443;
}
