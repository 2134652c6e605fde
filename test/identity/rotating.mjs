/** Rotates and revokes the signing keys of a SQLite file until it is killed; a line for each key that was acknowledged. */
import { createIdentityService } from 'agent-identity-service';
import { identity } from 'agent-identity-service/identity';
import { sqliteStorage } from 'agent-identity-service/storage/sql';

const [, , file, secret] = process.argv;
const service = createIdentityService({
  storageDeadlineMs: 30_000,
  storage: await sqliteStorage({ file }),
  capabilities: [identity({ secret })],
});
await service.health();
process.stdout.write('ready\n');
for (let before; ; ) {
  const { kid } = await service.signing.rotate({ now: true });
  process.stdout.write(`${kid}\n`);
  if (before !== undefined) await service.signing.revoke(before);
  before = kid;
}
