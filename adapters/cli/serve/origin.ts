import { isIPv6 } from 'node:net';

export function originOf(host: string, port: number): string {
  const everywhere = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${everywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}`;
}
