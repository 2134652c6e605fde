import { isIP } from 'node:net';
import { type Answer, ask, askAll, errorOf, isAnswered, type Question } from './ask.ts';
import type { RedisPackages } from './client.ts';
import { misconfigured } from './errors.ts';
import { readMode } from './server.ts';
import type { Address, RedisPlace } from './url.ts';

/** The kinds of servers that a URL can name. */
export type RedisMode = 'single' | 'cluster' | 'sentinel';

/** Finds the server of a store, whose primary may change. */
export interface Locator {
  readonly mode: RedisMode;
  /** Finds the address to connect to. The caller must check that the server there is a primary. */
  locate(): Promise<Address>;
}

/** The dependencies of a locator. */
export interface LocatorOptions {
  readonly packages: RedisPackages;
  readonly place: RedisPlace;
  readonly namespace: string;
  /** The time limit of the first search in milliseconds. */
  readonly timeoutMs: number;
}

/** The milliseconds for which a search waits for missing answers. */
export const FIND_MS = 600;

const MAX_ASKED = 32;

/**
 * Detects the kind of the servers in a URL.
 *
 * @throws {IdentityError} `invalid_configuration` if they cannot be used together.
 */
export async function openLocator(options: LocatorOptions): Promise<Locator> {
  const { place, namespace } = options;
  if (place.sentinel !== undefined) return locateBySentinels(options, place.sentinel);
  const isCluster = (await findMode(options)) === 'cluster';
  const [onlyAddress, ...otherAddresses] = place.addresses;
  if (isCluster) return locateInCluster(options, slotOf(namespace));
  if (otherAddresses.length > 0 || onlyAddress === undefined) {
    throw misconfigured(
      'The Redis URL lists several servers that are no cluster: list one, or their Sentinels with ?sentinel=<name>.',
    );
  }
  return { mode: 'single', locate: async () => onlyAddress };
}

async function findMode({ packages, place, timeoutMs }: LocatorOptions): Promise<'single' | 'cluster'> {
  const question = { packages, place, args: ['INFO'], limitMs: timeoutMs };
  const errors: Answer[] = [];
  const answers = place.addresses.map((address) =>
    ask(address, question).catch((error: unknown) => {
      errors.push({ from: address, error });
      throw error;
    }),
  );
  const answer = await Promise.any(answers).catch(() => {
    throw errorOf(errors);
  });
  const mode = readMode(answer);
  if (mode === 'sentinel') {
    throw misconfigured(
      'The Redis URL names a Sentinel: add ?sentinel=<name>, the name under which it knows the primary.',
    );
  }
  if (mode === 'cluster' && place.database !== 0)
    throw misconfigured('Redis Cluster has only database 0: end the addresses of the Redis URL with /0.');
  return mode;
}

function locateBySentinels(options: LocatorOptions, name: string): Locator {
  const args = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name];
  const vote = createVote(options, args);
  return {
    mode: 'sentinel',
    locate: () =>
      vote({
        addresses: options.place.addresses,
        read: ({ answer }) => readPair(answer),
        explain(answers) {
          if (answers.some(isAnswered)) {
            return misconfigured(
              'No Sentinel that answers knows the name that sentinel= of the Redis URL gives.',
            );
          }
          const error = errorOf(answers);
          if (!/^ERR unknown command/.test(String(Object(error).message))) return error;
          return misconfigured('With sentinel= the Redis URL lists Sentinels: these servers are none.');
        },
      }),
  };
}

function locateInCluster(options: LocatorOptions, slot: number): Locator {
  const seeds = options.place.addresses;
  const vote = createVote(options, ['CLUSTER', 'SLOTS']);
  let learnedAddresses: readonly Address[] = [];
  return {
    mode: 'cluster',
    async locate() {
      const addresses: Address[] = [];
      const knownAddresses = distinct([...seeds, ...learnedAddresses]).slice(0, MAX_ASKED);
      const primary = await vote({
        addresses: knownAddresses,
        read(answeredFields) {
          const { servers, primary } = readSlots(answeredFields, slot);
          addresses.push(...servers);
          return primary;
        },
        explain: (answers) =>
          answers.some(isAnswered)
            ? new Error('No server of the Redis cluster names a primary for these keys.')
            : errorOf(answers),
      });
      learnedAddresses = distinct(addresses);
      return primary;
    },
  };
}

interface Vote {
  readonly addresses: readonly Address[];
  /** Reads the address in an answer; `undefined` if the answer contains none. Called once per answer. */
  readonly read: (answer: Answered) => Address | undefined;
  readonly explain: (answers: readonly Answer[]) => unknown;
}

type Answered = Extract<Answer, { readonly error?: undefined }>;

/**
 * Creates a function that asks servers for an address, and returns the address with the most votes. If several
 * addresses have the same number of votes, its calls return them in turn.
 */
function createVote({ packages, place, timeoutMs }: LocatorOptions, args: readonly string[]) {
  let turn = 0;
  let isFirst = true;
  return async ({ addresses, read, explain }: Vote): Promise<Address> => {
    const namedAddresses = new Map<Answer, Address | undefined>();
    const count = (answers: readonly Answer[]): readonly Named[] => {
      for (const answer of answers) {
        if (!namedAddresses.has(answer))
          namedAddresses.set(answer, isAnswered(answer) ? read(answer) : undefined);
      }
      return countNamed([...namedAddresses.values()]);
    };
    // Nothing can be used before the first answer, so that a slow machine gets more time for it.
    const question: Question = {
      packages,
      place,
      args,
      limitMs: isFirst ? Math.max(timeoutMs, FIND_MS) : FIND_MS,
    };
    const answers = await askAll(addresses, question, {
      usualMs: FIND_MS,
      isEnough(answers) {
        const [best, second] = count(answers);
        return best !== undefined && best.votes > (second?.votes ?? 0) + addresses.length - answers.length;
      },
    });
    const list = count(answers);
    const best = list.filter(({ votes }) => votes === list[0]?.votes);
    const chosenName = best[turn++ % Math.max(best.length, 1)];
    if (chosenName === undefined) throw explain(answers);
    isFirst = false;
    return chosenName.address;
  };
}

interface Named {
  readonly address: Address;
  votes: number;
}

function countNamed(addresses: readonly (Address | undefined)[]): readonly Named[] {
  const counts = new Map<string, Named>();
  for (const address of addresses) {
    if (address === undefined) continue;
    const count = counts.get(keyOf(address));
    if (count === undefined) counts.set(keyOf(address), { address, votes: 1 });
    else count.votes += 1;
  }
  return [...counts.values()].sort((entry, otherEntry) => otherEntry.votes - entry.votes);
}

function distinct(addresses: readonly Address[]): readonly Address[] {
  return [...new Map(addresses.map((address) => [keyOf(address), address])).values()];
}

function keyOf({ host, port }: Address): string {
  return `${host} ${port}`;
}

function readPair(answer: unknown): Address | undefined {
  if (!Array.isArray(answer)) return undefined;
  return toAddress(answer[0], answer[1]);
}

function readSlots(
  { from, answer }: Answered,
  slot: number,
): { readonly servers: readonly Address[]; readonly primary: Address | undefined } {
  const servers: Address[] = [];
  let primary: Address | undefined;
  for (const range of Array.isArray(answer) ? answer : []) {
    const [first, last, ...nodes] = Array.isArray(range) ? (range as unknown[]) : [];
    const addresses = nodes.map((node) => readNode(node, from));
    servers.push(...addresses.filter((address) => address !== undefined));
    if (Number(first) <= slot && slot <= Number(last)) primary = addresses[0];
  }
  return { servers, primary };
}

/** Reads a server of a cluster. A server without a host is the server that has answered. */
function readNode(node: unknown, serverAddress: Address): Address | undefined {
  const [host, port, , flags] = Array.isArray(node) ? (node as unknown[]) : [];
  const isUnnamed = host === null || host === '' || host === '?';
  const address = toAddress(isUnnamed ? serverAddress.host : host, port);
  if (address === undefined) return undefined;
  if (isUnnamed)
    return {
      ...address,
      ...(serverAddress.servername !== undefined && { servername: serverAddress.servername }),
    };
  // The certificate of a server is made for its name.
  const name = isIP(address.host) === 0 ? undefined : readHostname(flags);
  return name === undefined ? address : { ...address, servername: name };
}

function readHostname(flags: unknown): string | undefined {
  if (!Array.isArray(flags)) return undefined;
  const name: unknown = flags[flags.indexOf('hostname') + 1];
  return flags.includes('hostname') && typeof name === 'string' && name !== '' ? name : undefined;
}

function toAddress(host: unknown, port: unknown): Address | undefined {
  const number = Number(port);
  return typeof host === 'string' && host !== '' && number >= 1 && number <= 65_535
    ? { host, port: number }
    : undefined;
}

/** The number of slots to which a cluster assigns keys. */
const SLOTS = 16_384;

/**
 * Returns the slot of all keys that begin with `{namespace}`. It is their CRC-16 (XMODEM), modulo the number of slots.
 */
export function slotOf(namespace: string): number {
  let crc = 0;
  for (const byte of Buffer.from(namespace)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc % SLOTS;
}
