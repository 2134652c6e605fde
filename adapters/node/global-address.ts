import { BlockList, isIP } from 'node:net';

/** The IPv4 ranges that are not global unicast (IANA's special-purpose registry), and the 6to4 relays. */
const NOT_GLOBAL_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];

/** The ranges within 2000::/3 that are not global: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const NOT_GLOBAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const refusedV4 = listOf(NOT_GLOBAL_V4, 'ipv4');
const refusedV6 = listOf(NOT_GLOBAL_V6, 'ipv6');
const globalV6 = listOf(['2000::/3'], 'ipv6');

/**
 * Says whether the text is an address on the public Internet, outside this machine and its network. Returns `false` for
 * any other text. IPv4 addresses within IPv6 (mapped, NAT64, 6to4) and addresses with a zone also give `false`.
 */
export function isGlobalAddress(text: string): boolean {
  const family = isIP(text);
  if (family === 4) return !refusedV4.check(text, 'ipv4');
  if (family !== 6 || text.includes('%')) return false;
  return globalV6.check(text, 'ipv6') && !refusedV6.check(text, 'ipv6');
}

function listOf(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
