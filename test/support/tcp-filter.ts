/** A filter between a client and a server, which reads or changes their messages. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server. */
export interface Filtered {
  readonly port: number;
  close(): void;
}

/** Opens a way to a port of this machine; `change` gets what the server says, byte for byte. */
export function connectBetween(target: number, change: (text: string) => string): Promise<Filtered> {
  return listenBetween({ port: target, host: '127.0.0.1' }, (near, far) => {
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => near.write(Buffer.from(change(bytes.toString('latin1')), 'latin1')));
  });
}

/**
 * Opens a way to a server. `join` passes on the messages of each side of a connection. If one side ends, the filter
 * ends the other.
 */
export async function listenBetween(
  target: { readonly port: number; readonly host: string },
  join: (near: Socket, far: Socket) => void,
): Promise<Filtered> {
  const server = createServer((near) => {
    const far = connect(target);
    join(near, far);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
