/** Two hosts of PostgreSQL in one URL, each behind a proxy: a primary, and a standby that has every write. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresStorage } from '../../../dist/storage/sql.js';
import { ownerOfPostgres, startPostgres } from '../../support/private-servers.mjs';
import { promotePostgres, rowsOf } from '../../support/promote-postgres.mjs';
import { startProxy } from '../../support/tcp-proxy.mjs';
import { ACKNOWLEDGED_MS, MISSING } from '../network-faults.mjs';
import { closeAll } from '../resources.mjs';

const EXPECTED = 'right answers or 503; no acknowledged write is lost; well after the promotion';
const LASTS_MS = 5_000;
const NOTHING = { verdicts: 'none', writes: 'none', ready: 'none' };

/** The engine; see `postgres.mjs`. */
export async function openPostgresHosts() {
  const resources = [];
  try {
    const primary = await startPostgres();
    resources.push(() => primary.remove());
    const standby = await startPostgres({ of: primary.url });
    resources.push(() => standby.remove());
    await copyAtOnce(primary, true);
    const hosts = [];
    for (const server of [primary, standby]) {
      const proxy = await startProxy(server.port);
      resources.push(() => proxy.close());
      hosts.push({ server, proxy });
    }
    const places = hosts.map(({ proxy }) => `127.0.0.1:${proxy.port}`).join(',');
    const storage = `postgres://root@${places}/${new URL(primary.url).pathname.slice(1)}`;
    return {
      name: 'postgres-hosts',
      storage,
      isShared: true,
      openStorage: () => postgresStorage({ url: storage }),
      faults: faultsOf(hosts, resources),
      close: () => closeAll(resources),
    };
  } catch (error) {
    await closeAll(resources);
    throw error;
  }
}

/** A write is acknowledged when the standby has it, too; or no more. */
async function copyAtOnce({ url }, isOn) {
  await rowsOf(url, `alter system set synchronous_standby_names = '${isOn ? '*' : ''}'`);
  await rowsOf(url, 'select pg_reload_conf()');
}

function faultsOf(hosts, resources) {
  /** The place of the primary in the list; the other one is the standby, or was lost. */
  let current = 0;
  let isWhole = true;

  /** A new standby in the place of the server that an earlier row has lost. */
  async function prepare() {
    if (isWhole) return;
    await renewStandby(hosts[current].server.url);
    await copyAtOnce(hosts[current].server, true);
    isWhole = true;
  }

  async function renewStandby(of) {
    const host = hosts[1 - current];
    await host.server.remove();
    const standby = await startPostgres({ of });
    host.server = standby;
    resources.push(() => standby.remove());
    host.proxy.switchTo(standby.port);
  }

  async function promote() {
    const next = hosts[1 - current];
    await promotePostgres(next.server.url);
    await copyAtOnce(next.server, false);
    current = 1 - current;
    isWhole = false;
  }

  const common = { expected: EXPECTED, away: {}, lastsMs: LASTS_MS, inQuick: true, prepare };
  return [
    {
      ...common,
      name: 'primary killed',
      apply: () => hosts[current].server.kill(),
      undo: promote,
    },
    {
      ...common,
      name: 'old primary back beside the new one',
      expected: 'right answers or 503; no node goes back to the old one',
      inQuick: false,
      prepare: async () => {},
      async apply() {
        const old = hosts[1 - current].server;
        await old.restart();
        await copyAtOnce(old, false);
      },
      undo: () => hosts[1 - current].server.kill(),
    },
    {
      ...common,
      name: 'primary frozen',
      async apply() {
        hosts[current].server.freeze();
      },
      async undo() {
        const old = hosts[current].server;
        await promote();
        old.thaw();
        await old.kill();
      },
    },
    {
      ...common,
      name: 'a host black-holed, which is the standby',
      expected: 'right answers',
      inQuick: false,
      async apply() {
        hosts[1 - current].proxy.swallow();
      },
      undo: () => hosts[1 - current].proxy.pass(),
    },
    {
      ...common,
      name: 'the primary black-holed, and the standby promoted',
      inQuick: false,
      async apply() {
        hosts[current].proxy.swallow();
      },
      async undo() {
        const old = hosts[current].server;
        await old.kill();
        await promote();
      },
    },
    {
      ...common,
      name: 'both hosts are standbys',
      expected: 'nothing but 503, until one is promoted',
      away: NOTHING,
      inQuick: false,
      async apply() {
        const { server } = hosts[current];
        await server.stop();
        becomeStandby(server);
        await server.restart();
      },
      undo: () => promotePostgres(hosts[current].server.url),
    },
    lostWrites({ ...common, hosts, resources, renewStandby, current: () => current, leaveWhole }),
  ];

  function leaveWhole() {
    isWhole = false;
  }
}

/** A standby that copies asynchronously is promoted without the latest acknowledged writes. */
function lostWrites({ hosts, resources, renewStandby, current, leaveWhole, ...common }) {
  let link;
  return {
    ...common,
    name: 'an asynchronous standby promoted without the latest writes',
    expected: MISSING,
    away: NOTHING,
    inQuick: false,
    async prepare() {
      const { server } = hosts[current()];
      await copyAtOnce(server, false);
      link = await startProxy(server.port);
      resources.push(() => link.close());
      await renewStandby(Object.assign(new URL(server.url), { port: link.port }).href);
      leaveWhole();
    },
    async apply() {
      await link.refuse();
      // The load goes on meanwhile: both nodes acknowledge writes that the standby lacks.
      await pause(ACKNOWLEDGED_MS);
      await hosts[current()].server.kill();
      await promotePostgres(hosts[1 - current()].server.url);
    },
    async undo() {
      await hosts[1 - current()].server.kill();
      await hosts[current()].server.restart();
    },
  };
}

/** A server that is stopped starts as a standby, with all that it has. */
function becomeStandby({ folder }) {
  const [program, ...args] = [...ownerOfPostgres(), 'touch', join(folder, 'data', 'standby.signal')];
  execFileSync(program, args, { cwd: '/' });
}
