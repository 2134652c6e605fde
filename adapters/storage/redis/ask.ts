import type { RedisArgument, RedisClient, RedisPackages } from './client.ts';
import { isReply, replyCodeOf } from './errors.ts';
import { sendCommand } from './role-watch.ts';
import type { Address, RedisPlace } from './url.ts';

export interface Question {
  readonly packages: RedisPackages;
  readonly place: RedisPlace;
  readonly args: readonly RedisArgument[];
  readonly limitMs: number;
}

/**
 * Sends one command to a server, on a connection that is closed after the answer. It sends the credentials of the URL
 * only if the server demands them, because a Sentinel may have none.
 */
export async function ask(address: Address, question: Question): Promise<unknown> {
  const { packages, place, args, limitMs } = question;
  const client = packages.createClient({
    socket: { ...address, tls: place.tls, connectTimeout: limitMs, reconnectStrategy: false },
    disableClientInfo: true,
  });
  client.on('error', ignore);
  let isLate = false;
  const end = (): void => {
    if (client.isReady) client.destroy();
  };
  // A client that is connecting cannot be ended: its own time limit does that.
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limitMs);
  try {
    await client.connect();
    if (isLate) throw new Error('The server did not answer in time.');
    return await askAs(client, place, args);
  } finally {
    clearTimeout(timer);
    end();
  }
}

async function askAs(
  client: RedisClient,
  { username, password }: RedisPlace,
  args: readonly RedisArgument[],
): Promise<unknown> {
  try {
    return await sendCommand(client, args);
  } catch (error) {
    const isRefused = ['NOAUTH', 'NOPERM'].includes(replyCodeOf(error));
    if (!isRefused || password === undefined) throw error;
    await sendCommand(client, ['AUTH', ...(username === undefined ? [] : [username]), password]);
    return sendCommand(client, args);
  }
}

export type Answer =
  | { readonly from: Address; readonly answer: unknown; readonly error?: undefined }
  | { readonly from: Address; readonly error: unknown };

export interface Patience {
  /** Says whether the missing answers can no longer change the result. */
  readonly isEnough: (answers: readonly Answer[]) => boolean;
  /** The milliseconds after which the present answers are enough, if there is at least one. */
  readonly usualMs: number;
}

export function askAll(
  addresses: readonly Address[],
  question: Question,
  { isEnough, usualMs }: Patience,
): Promise<readonly Answer[]> {
  return new Promise((resolve) => {
    const answers: Answer[] = [];
    const timer = setTimeout(() => {
      if (answers.some(isAnswered)) resolve(answers);
    }, usualMs);
    const add = (answer: Answer): void => {
      answers.push(answer);
      const isPast = question.limitMs > usualMs && performance.now() - startedAt >= usualMs;
      if (answers.length < addresses.length && !isEnough(answers) && !(isPast && isAnswered(answer))) return;
      clearTimeout(timer);
      resolve([...answers]);
    };
    const startedAt = performance.now();
    for (const address of addresses) {
      ask(address, question).then(
        (answer) => add({ from: address, answer }),
        (error: unknown) => add({ from: address, error }),
      );
    }
  });
}

export function isAnswered(answer: Answer): answer is Extract<Answer, { readonly error?: undefined }> {
  return answer.error === undefined;
}

export function errorOf(answers: readonly Answer[]): unknown {
  const errors = answers.map(({ error }) => error).filter((error) => error !== undefined);
  return errors.find(isReply) ?? errors[0];
}

function ignore(): void {}
