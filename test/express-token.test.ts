import { expect, test } from 'vitest';
import { openResource } from './access-tokens/mcp-server.ts';
import { ISSUER } from './access-tokens/stage.ts';

test('the middleware answers the metadata of the resource, and challenges a request without a token', async () => {
  const { resource } = await openResource();
  const refused = await fetch(resource, { method: 'POST' });
  const [, url = ''] =
    /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
  expect(refused.status).toBe(401);
  expect(await (await fetch(url)).json()).toMatchObject({ resource, authorization_servers: [ISSUER] });
});
