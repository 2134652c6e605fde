import type { GivenPassword } from '../input/password.ts';

/** Who logs in, and the place where a shell finds the password. */
export interface FirstLogin {
  readonly email: string;
  readonly password: GivenPassword;
  readonly passwordFile?: string | undefined;
}

type FourCommands = readonly [login: string, key: string, passport: string, verify: string];

/**
 * Returns the way to the first verdict as four lines for a POSIX shell with curl and node: log in, make a key, issue a
 * passport, ask for an ALLOW and a DENY. A password that was given is referred to, never spelled out.
 */
export function firstCommands(baseUrl: string, login: FirstLogin): FourCommands {
  const post = (path: string, ...rest: string[]): string =>
    ['curl', '-sS', shellText(`${baseUrl}${path}`), "-H 'Content-Type: application/json'", ...rest].join(' ');
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const { email, password } = login;
  const loginCall =
    password.origin === 'generated'
      ? post('/auth/login', '-d', shellText(JSON.stringify({ email, password: password.text })))
      : `node -p ${shellText(loginScript(login))} | ${post('/auth/login', '-d @-')}`;
  return [
    `TOKEN=$(${loginCall} | ${field('access_token')})`,
    `KEY=$(${post('/keys', bearer, '-d', shellText(JSON.stringify({ name: 'first' })))} | ${field('key')})`,
    `${post('/passports', bearer, '-d', shellText(JSON.stringify(PASSPORT)))}; echo`,
    `for amount in 25 2500; do ${post('/verify', '-H "X-API-Key: $KEY"', '-d', INTENT)}; echo; done`,
  ];
}

const PASSPORT = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
  currency: 'EUR',
};

const INTENT = `'{"agent_id":"did:web:example.com:agents:shopper","action":"payments.create","parameters":{"amount":'$amount',"currency":"EUR"}}'`;

/** Returns JavaScript that prints the body of the login. */
function loginScript({ email, password, passwordFile }: FirstLogin): string {
  const text =
    password.origin === 'file' && passwordFile !== undefined && passwordFile !== '-'
      ? `fs.readFileSync(${JSON.stringify(passwordFile)},"utf8").replace(/\\r?\\n$/,"")`
      : 'process.env.AGENT_IDENTITY_PASSWORD';
  return `JSON.stringify({email:${JSON.stringify(email)},password:${text}})`;
}

/** Takes one text field out of an answer. */
function field(name: string): string {
  return `sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p'`;
}

/** Returns a word in single quotes. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
