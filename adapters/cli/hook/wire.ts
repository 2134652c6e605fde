/** The messages between a hook and the resident process: one line of JSON, after which a question has its event. */

/** A question to the resident process. */
export interface HookQuestion {
  /** Identifies the answer to this question. */
  readonly of: string;
  /** Names the program of the hook: a process of another program does not answer. */
  readonly program: string;
  readonly host: string;
  /** The absolute path of the configuration. */
  readonly config: string;
  /** The length of the event, which follows the line. */
  readonly size: number;
}

/** The result of an event, as the host gets it. */
export interface HookAnswer {
  /** 0 if the hook has answered, 2 if it blocks the call. */
  readonly code: 0 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** A line of the resident process. `wait` adds seconds to the deadline; `isOther` says that it serves another hook. */
export type HookReply = { readonly of: string } & (
  | { readonly wait: number }
  | { readonly isOther: true }
  | HookAnswer
);

export const MAX_EVENT_BYTES: number = 16 * 1024 * 1024;
/** The name of the socket in the folder of the configuration. */
export const SOCKET = 'hook.sock';

/** Returns the answer in a reply. Throws if it is not a whole answer. */
export function answerIn(reply: Partial<HookAnswer>): HookAnswer {
  const { code, stdout, stderr } = reply;
  if ((code !== 0 && code !== 2) || typeof stdout !== 'string' || typeof stderr !== 'string')
    throw new TypeError();
  return { code, stdout, stderr };
}
