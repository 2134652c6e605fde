const AGENT_ID = /^did:web:([^:]*):agents:([^:]*)$/;
const AGENT_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
const SET_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LAST_LABEL = /\.[a-z][^.]*$/;
const PORT = /^%3A([1-9][0-9]{0,4})$/;

/** The hosts that `isDomain` accepts in addition to public domains. */
export interface DomainOptions {
  /** Accepts `localhost`, with or without port, for development. Default `false`. */
  readonly allowLocalhost?: boolean;
}

/** The domain and the name of an agent. */
export interface AgentIdParts {
  readonly domain: string;
  readonly agent_name: string;
}

/** Returns `did:web:<domain>:agents:<agent_name>`. Both parts must already be valid. */
export function formatAgentId({ domain, agent_name }: AgentIdParts): string {
  return `did:web:${domain}:agents:${agent_name}`;
}

/** Parses an agent id in the form of `formatAgentId`; `undefined` for any other text, and for invalid parts. */
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

/** Says whether the text is a valid name of a set of passports. */
export function isSetName(text: string): boolean {
  return SET_NAME.test(text);
}

/** Returns the domain without its port. An account that owns this host owns it with every port. */
export function hostOf(domain: string): string {
  const port = domain.indexOf('%');
  return port < 0 ? domain : domain.slice(0, port);
}

/**
 * Says whether the text is a domain without port.
 *
 * A domain has at most 253 characters and two or more lower-case LDH labels of at most 63 characters each. The last
 * label starts with a letter. An `xn--` label must be the Punycode of a text that is not ASCII.
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
 * Says whether the text is `%3A` and a port. It refuses 443, the default of `did:web`, because an agent must have only
 * one id.
 */
function isPort(text: string): boolean {
  const port = Number(PORT.exec(text)?.[1] ?? 0);
  return port >= 1 && port <= 65_535 && port !== 443;
}

/** The parameters of RFC 3492 section 5. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE_POINT = 128;
const DIGIT_0 = 0x30;
const LETTER_A = 0x61;
const SURROGATES = 0xd800 >> 11;
const PARTS = /^(?:(.+)-)?([a-z0-9]+)$/s;

/**
 * Says whether a text without `xn--` is the Punycode (RFC 3492 section 6.2) of a text that is not ASCII. Each decoded
 * text has only one accepted encoding: numbers have one spelling, code points are inserted in one order, and upper-case
 * digits are refused.
 */
export function isPunycode(label: string): boolean {
  // Text without digits is treated as a number that does not end, and refused.
  const [, basic = '', digits = '9'] = PARTS.exec(label) ?? [];
  let { length } = basic;
  let codePoint = INITIAL_CODE_POINT;
  let place = -INITIAL_BIAS;
  let damp = DAMP;
  let delta = 0;
  let index = 0;
  let weight = 1;
  for (let position = 0; position < digits.length; position += 1) {
    const code = digits.charCodeAt(position);
    // `a` to `z` are 0 to 25, `0` to `9` are 26 to 35.
    const digit = code < LETTER_A ? code - DIGIT_0 + 26 : code - LETTER_A;
    delta += digit * weight;
    place += BASE;
    const threshold = Math.min(Math.max(place, T_MIN), T_MAX);
    weight *= BASE - threshold;
    if (digit >= threshold) continue;
    // The number ends here.
    length += 1;
    index += delta;
    codePoint += Math.floor(index / length);
    // Written so that NaN is refused.
    if (!(codePoint <= 0x10ffff) || codePoint >> 11 === SURROGATES) return false;
    // The next bias (RFC 3492 section 6.1).
    delta = Math.floor(delta / damp);
    delta += Math.floor(delta / length);
    for (place = 0; delta > ((BASE - T_MIN) * T_MAX) / 2; place -= BASE)
      delta = Math.floor(delta / (BASE - T_MIN));
    place -= Math.floor((BASE * delta) / (delta + SKEW));
    index = (index % length) + 1;
    damp = 2;
    delta = 0;
    weight = 1;
  }
  return weight === 1;
}
