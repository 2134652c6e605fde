import { once } from 'node:events';

/**
 * Listens on a free port of this machine and tells it, with the API key to ask with. Every message is answered by
 * the CPU time of the process and the requests it has got so far.
 */
export async function serve(server, key) {
  let requests = 0;
  server.prependListener('request', () => {
    requests += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuUs: user + system, requests });
  });
  process.on('disconnect', () => process.exit());
  process.send({ port: server.address().port, key });
}
