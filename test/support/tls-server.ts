import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { makeCertificate } from './certificate.ts';
import { openFolder } from './process.ts';

/** A web server on this machine that stands for one on the Internet. */
export interface TlsServer {
  /** The certificates to trust. */
  readonly ca: string;
  /** The addresses that were connected to: every connection ends here. */
  readonly dialled: readonly string[];
  readonly dial: (address: string, port: number) => Socket;
}

/** Serves HTTPS with a certificate for these hosts until the test ends. */
export async function openTlsServer(hosts: readonly string[], listener: RequestListener): Promise<TlsServer> {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const { ca, cert, key } = makeCertificate(
    folder,
    hosts.map((host) => `DNS:${host}`),
  );
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const dialled: string[] = [];
  return {
    ca: readFileSync(ca, 'utf8'),
    dialled,
    dial(address, asked) {
      dialled.push(`${address} ${asked}`);
      return connect(port, '127.0.0.1');
    },
  };
}
