/** better-auth behind Express, as its own guide mounts it: node bench/servers/better-auth.mjs <folder of the peers> */
import { createServer } from 'node:http';
import express from 'express';
import { serve } from '../lib/serve.mjs';
import { openBetterAuth } from '../peers/better-auth.mjs';

const { ask, key } = await openBetterAuth(process.argv[2]);
const app = express();
app.use(express.json());
app.post('/api/verify', async (request, response) => {
  const { verdict } = await ask(request.get('x-api-key'));
  response.json({ verdict, agent_id: request.body.agent_id });
});
await serve(createServer(app), key);
