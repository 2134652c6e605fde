/** Serves access tokens for the agent with this key, in its own process: node bench/servers/issuer.mjs '<JWK>' */
import { createServer } from 'node:http';
import { nodeListener } from 'agent-identity-service/http';
import { openIssuer } from '../lib/issuer.mjs';
import { serve } from '../lib/server-process.mjs';

const { service, key } = await openIssuer(JSON.parse(process.argv[2]));
await serve(createServer(nodeListener(service)), key);
