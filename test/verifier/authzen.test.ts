/** The scenarios of AuthZEN against a local verifier in the place of the service. */
import { afterAll, beforeAll } from 'vitest';
import { answerBeside } from '../http/access/fixture.ts';
import { openApi } from '../support/api.ts';
import { hostWith, wireTo } from './stage.ts';

// Files share their modules: what was set here is taken back for those that come after it.
beforeAll(() =>
  answerBeside(({ opened }, apiKey, { authzen = { agentDomain: 'example.com' } } = {}) => {
    const host = hostWith({ apiKey, authzen, fetch: wireTo(opened.service).fetch });
    return openApi({ service: host, secrets: opened.secrets });
  }),
);
afterAll(() => answerBeside(undefined));

// By a name of its own each is loaded once more, also where it has run before.
for (const scenario of ['certification', 'interop', 'semantics'])
  await import(/* @vite-ignore */ `../http/access/${scenario}.test.ts?verifier`);
