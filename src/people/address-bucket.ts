import { trimWhiteSpace } from '../base/values/white-space.ts';

/**
 * Returns the key for counting attempts of a client address. It is the IPv4 address, or the /64 network of an IPv6
 * address, which one customer usually has. Any other text gives `unknown`. A port after the address is ignored.
 */
export function addressBucket(address: string | undefined): string {
  const bare = trimWhiteSpace(address ?? '')
    .toLowerCase()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/%.*$/, '');
  const four = readIpv4(bare.replace(/^([\d.]+):\d+$/, '$1'));
  if (four !== undefined) return four.join('.');
  const groups = readIpv6(bare);
  if (groups === undefined) return UNKNOWN;
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/**
 * Returns the networks of an `addressBucket`, widest first, because one customer may have a whole network. An IPv6
 * address gives /48, /56 and /64. An IPv4 address gives /16, /24 and the address itself.
 */
export function networksOf(bucket: string): readonly string[] {
  if (bucket === UNKNOWN) return [bucket];
  if (bucket.includes('.')) {
    const [a, b, c] = bucket.split('.');
    return [`${a}.${b}.0.0/16`, `${a}.${b}.${c}.0/24`, bucket];
  }
  const [a, b, c, d = ''] = bucket.split(':');
  const high = (Number.parseInt(d, 16) & 0xff00).toString(16);
  return [`${a}:${b}:${c}::/48`, `${a}:${b}:${c}:${high}::/56`, bucket];
}

const UNKNOWN = 'unknown';

function readIpv4(text: string): readonly number[] | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte < 256) ? bytes : undefined;
}

function readIpv6(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2 || !text.includes(':')) return undefined;
  const [head, tail] = [readGroups(halves[0] ?? ''), readGroups(halves[1] ?? '')];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  return [...head, ...Array<number>(missing).fill(0), ...tail];
}

function readGroups(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const four = index === parts.length - 1 ? readIpv4(part) : undefined;
    if (four !== undefined) {
      const [a = 0, b = 0, c = 0, d = 0] = four;
      groups.push(a * 256 + b, c * 256 + d);
    } else if (/^[0-9a-f]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}
