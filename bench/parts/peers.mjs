/** Measures peers that decide in process. Everything that can be prepared is prepared before. */
import { compareWith } from '../lib/compare.mjs';
import { openCasbin, openCasl, openGovernance } from '../peers/in-process.mjs';

await compareWith(
  {
    '@casl/ability': openCasl,
    'casbin enforceSync, ABAC': openCasbin,
    'Microsoft agent-governance-sdk': openGovernance,
  },
  { title: 'Action and limit only, all that can be made ready beforehand in hand', intents: 5_000 },
);
