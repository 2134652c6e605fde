/** Reads a stream of events as a client does. */
import { onTestFinished } from 'vitest';
import type { IdentityEvent } from '../../src/records/event.ts';

export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that came, as text. */
  readonly text: () => string;
  /** The events that came so far. */
  readonly events: () => readonly IdentityEvent[];
  /** Settles when the condition holds; rejects when the stream ends before, or after some seconds. */
  until(condition: (events: readonly IdentityEvent[]) => boolean): Promise<readonly IdentityEvent[]>;
  /** Settles when the stream has ended. */
  readonly ended: Promise<void>;
  stop(): void;
}

const PATIENCE_MS = 15_000;

/** Opens a stream by `ask`, which is given a signal that ends it. */
export async function readEvents(ask: (signal: AbortSignal) => Promise<Response>): Promise<EventReader> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const response = await ask(controller.signal);
  const events: IdentityEvent[] = [];
  let text = '';
  let rest = '';
  let look = (): void => {};
  let isEnded = false;
  const decoder = new TextDecoder();

  async function run(): Promise<void> {
    const reader = response.body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return;
      const piece = decoder.decode(value, { stream: true });
      text += piece;
      const frames = (rest + piece).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) events.push(JSON.parse(data));
      }
      look();
    }
  }
  const ended = run()
    .catch(() => undefined)
    .then(() => {
      isEnded = true;
      look();
    });

  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    events: () => events,
    ended,
    stop: () => controller.abort(),
    until: (condition) =>
      new Promise((resolve, reject) => {
        const giveUp = (why: string) => reject(new Error(`${why} after ${JSON.stringify(events.slice(-5))}`));
        const timer = setTimeout(() => giveUp('It took too long'), PATIENCE_MS);
        look = () => {
          const holds = condition(events);
          if (!holds && !isEnded) return;
          clearTimeout(timer);
          if (holds) resolve(events);
          else giveUp('The stream ended');
        };
        look();
      }),
  };
}
