import { expect, test } from 'vitest';
import { readHosts } from '../../adapters/storage/sql/postgres/hosts.ts';

/** A client of `pg` that never connects. */
class Client {
  readonly connection = { once: () => {} };
  connect(): void {}
  end(): void {}
}

test('the state of a client names its host while another client leaves that host', () => {
  const hosts = readHosts('postgres://old:5432,new:5433/agents', 1_000);
  const HostClient = hosts.clients(Client);
  const first = new HostClient({});
  hosts.use(first);
  hosts.leave(first);
  const greeted = new HostClient({});
  const failed = new HostClient({});
  hosts.leave(failed);
  expect(hosts.state()).toMatchObject({ address: 'old:5432' });
  expect(hosts.state(greeted)).toMatchObject({ address: 'new:5433' });
  hosts.use(greeted);
  expect(hosts.state()).toEqual({ address: 'new:5433', withoutMs: 0 });
});

test('the state of a client of another pool names the host in use', () => {
  const hosts = readHosts('postgres://old:5432,new:5433/agents', 1_000);
  expect(hosts.state({})).toEqual({ address: 'old:5432', withoutMs: 0 });
});
