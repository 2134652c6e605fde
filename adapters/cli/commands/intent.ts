import { Option } from 'commander';
import type { Intent } from '../../../src/index.ts';
import { type PrivateJwk, type SignIntentOptions, signIntent } from '../../../src/tokens/proof/index.ts';
import { readJsonFile } from '../input/text-file.ts';
import { usageError } from '../output/error.ts';
import { answerCommand } from './answering.ts';
import type { CommandGroup } from './command.ts';

interface SignOptions {
  readonly key: string;
  readonly audience: string;
  readonly seconds?: string;
  readonly anyTarget?: true;
}

export const intentCommands: CommandGroup = {
  name: 'intent',
  summary: 'manage signed intents of agents',
  commands: [
    answerCommand({
      name: 'sign',
      summary: 'sign an intent so that one service can allow it once',
      arguments: { file: 'JSON file with the intent, or - for stdin' },
      options: [
        new Option(
          '--key <file>',
          'file with the private key from `agent-key generate`',
        ).makeOptionMandatory(),
        new Option(
          '--audience <url>',
          'public URL of the service that may allow the intent, or another name in its option `identity.proofAudiences`',
        ).makeOptionMandatory(),
        new Option('--seconds <n>', 'seconds until the proof expires (default: 60)'),
        new Option(
          '--any-target',
          'permit an intent without a target, although an application that gets the proof could then use it elsewhere',
        ),
      ],
      notes:
        'The command prints the proof of possession. With --json, the command prints the intent with the proof. The proof names the audience and has a random id. Therefore only this service accepts the proof, and only once.',
      examples: [
        `agent-identity intent sign intent.json --key agent-key.json --audience http://localhost:3000/api --json \\
      | agent-identity verify -`,
      ],
      async call(_, { file }, _input, options: SignOptions) {
        const intent = await readJsonFile(file);
        const { agent_id } = intent;
        if (typeof agent_id !== 'string') throw usageError('The intent names no agent_id. Add the field.');
        const proof = await signIntent(intent as unknown as Intent, {
          ...(await signing(options)),
          agent_id,
        });
        return { ...intent, proof };
      },
      text: ({ proof }) => proof,
    }),
  ],
};

async function signing({
  key,
  audience,
  seconds,
  anyTarget,
}: SignOptions): Promise<Omit<SignIntentOptions, 'agent_id'>> {
  const read = await readJsonFile(key);
  const { private_jwk = read } = read;
  return {
    key: private_jwk as PrivateJwk,
    audience,
    ...(seconds !== undefined && { seconds: Number(seconds) }),
    ...(anyTarget && { anyTarget }),
  };
}
