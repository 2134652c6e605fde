/** Readers that are slow at their socket, where the kernel holds some megabytes for each. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { systemAfter } from '../../src/core/shared/timers.ts';
import { nodeListener } from '../../src/http/index.ts';
import { issue, openApi, signIn } from '../support/api.ts';
import { listen, requestText } from '../support/servers.ts';
import { openService } from '../support/service.ts';

const AGENT = 'did:web:example.com:agents:shopper';
/** Each change sends the whole passport: about 10 kB. */
const METADATA = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`n${at}`, 'x'.repeat(500)]));
/** More than the buffers of both ends of a connection, which grow to some 10 MiB. */
const CHANGES = 2_500;

test('one that takes nothing is closed while another, slow as well, gets every event', async () => {
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const opened = openService({ clock, after: systemAfter, storage: memoryStorage() });
  const { service } = opened;
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  await issue(api, token);
  const closed: AbortSignal[] = [];
  const openStream = service.events.open;
  Object.assign(service.events, {
    async open(...asked: Parameters<typeof openStream>) {
      const stream = await openStream(...asked);
      closed.push(stream.closed);
      return stream;
    },
  });
  const origin = await listen(nodeListener(service));
  const open = async (): Promise<Socket> => {
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const path = '/api/events?types=passport.updated';
    socket.write(requestText('GET', path, { authorization: `Bearer ${token}` }));
    await new Promise((resolve) => socket.once('readable', resolve));
    return socket;
  };
  const deaf = await open();
  deaf.pause();
  const slow = await open();
  const reading = countVersions(slow);

  for (let at = 0; at < CHANGES; at += 1) {
    const metadata = { ...METADATA, n0: `${at}` };
    await service.passports.update(AGENT, { metadata }, { account_id });
    if (at % 50 === 0) await pause(1);
  }
  // The first version was there before.
  await expect.poll(() => reading.versions.size, { interval: 50 }).toBe(CHANGES);
  await expect.poll(() => closed[0]?.aborted, { interval: 100 }).toBe(true);
  expect(closed[1]?.aborted).toBe(false);
  const ended = new Promise((resolve) => deaf.once('close', resolve));
  deaf.on('error', () => {}).resume();
  await ended;
  slow.destroy();
});

/** Takes 64 KiB at a time, with a pause after each. */
function countVersions(socket: Socket): { readonly versions: ReadonlySet<number> } {
  const versions = new Set<number>();
  let rest = '';
  socket.on('readable', async () => {
    for (let piece = socket.read(); piece !== null; piece = socket.read()) {
      const frames = (rest + String(piece)).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const version = /"version":(\d+)/.exec(frame)?.[1];
        if (version !== undefined) versions.add(Number(version));
      }
      await pause(1);
    }
  });
  return { versions };
}
