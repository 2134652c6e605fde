/**
 * The messages between a hook and the resident process. Each is one line of JSON; the event follows the line of a
 * request.
 */

export interface HookQuestion {
  /** The id of the request, which its answer repeats. */
  readonly of: string;
  /** Identifies the program of the hook. A process of another program does not answer. */
  readonly program: string;
  readonly host: string;
  /** The absolute path of the configuration. */
  readonly config: string;
  /** The length of the event after the line, in bytes. */
  readonly size: number;
}

export interface HookAnswer {
  /** 0 if the hook has answered, 2 if it blocks the call. */
  readonly code: 0 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A line of the resident process. `wait` adds seconds to the deadline. `isOther` says that the process serves another
 * hook.
 */
export type HookReply = { readonly of: string } & (
  | { readonly wait: number }
  | { readonly isOther: true }
  | HookAnswer
);

export const MAX_EVENT_BYTES: number = 16 * 1024 * 1024;
export const SOCKET = 'hook.sock';

export function answerIn(reply: Partial<HookAnswer>): HookAnswer {
  const { code, stdout, stderr } = reply;
  if ((code !== 0 && code !== 2) || typeof stdout !== 'string' || typeof stderr !== 'string')
    throw new TypeError();
  return { code, stdout, stderr };
}
