/** A separate listener for the metrics of a service, which clients of the API cannot reach. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../../../src/metrics/index.ts';
import { usageError } from '../output/error.ts';

export interface MetricsPlace {
  readonly host: string;
  readonly port: number;
}

export interface MetricsServer {
  readonly url: string;
  stop(): void;
}

export async function listenForMetrics(
  metrics: Metrics,
  { host, port }: MetricsPlace,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    request.resume();
    const path = (request.url ?? '').split('?', 1)[0];
    if (path !== '/metrics') response.writeHead(404).end();
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
    } else {
      const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' };
      response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : metrics.text());
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(usageError(`--metrics: cannot listen on ${host} port ${port} (${error.code}).`, error)),
    );
    server.listen({ host, port }, resolve);
  });
  const { address, port: boundPort, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${boundPort}/metrics`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Parses a host and port such as `127.0.0.1:9464` or `[::1]:9464`; returns `undefined` for other text. */
export function readMetricsPlace(text: string): MetricsPlace | undefined {
  const [, bracketedHost, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketedHost ?? plain;
  const port = Number(digits);
  return host === undefined || port > 65_535 ? undefined : { host, port };
}
