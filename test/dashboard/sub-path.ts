/** A proxy that serves what is elsewhere below a path, which the service behind it does not know of. */
import { request } from 'node:http';
import { listen } from '../support/servers.ts';

/** The address of a proxy that takes `prefix` away and asks `origin`; it ends with the test. */
export async function below(prefix: string, origin: string): Promise<string> {
  const { hostname: host, port } = new URL(origin);
  const proxy = await listen((incoming, outgoing) => {
    const { method = 'GET', headers, url = '/' } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const onward = request({ host, port, path: url.slice(prefix.length), method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  return `${proxy}${prefix}`;
}
