import { useEffect, useState } from 'preact/hooks';
import { send, toFailure } from './api.ts';
import { session } from './session.ts';

export type LiveState = 'off' | 'connecting' | 'on' | 'refused';

export interface LiveEvent {
  readonly type: string;
  readonly data: unknown;
}

const RETRY_MS = 2_000;

export function useLive(isOn: boolean, query: string, onEvent: (event: LiveEvent) => void): LiveState {
  const [state, setState] = useState<LiveState>('off');
  const token = session.value?.token;
  useEffect(() => {
    if (!isOn) {
      setState('off');
      return;
    }
    const gone = new AbortController();
    follow(query, gone.signal, onEvent, setState).catch(() => setState('refused'));
    return () => gone.abort();
  }, [isOn, query, token]);
  return state;
}

async function follow(
  query: string,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
  setState: (state: LiveState) => void,
): Promise<void> {
  let last = '';
  while (!signal.aborted) {
    setState('connecting');
    try {
      const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last };
      const response = await send('GET', `/events${query}`, { signal, headers });
      setState('on');
      for await (const { id, event } of framesOf(response)) {
        last = id ?? last;
        if (event !== undefined) onEvent(event);
      }
    } catch (thrown) {
      if (signal.aborted) return;
      await pauseAfter(thrown, signal);
    }
    await pause(RETRY_MS, signal);
  }
}

/** Waits as long as a busy service asks. Throws an error that a retry cannot mend. */
async function pauseAfter(thrown: unknown, signal: AbortSignal): Promise<void> {
  const { status, retryAfter = 2 } = toFailure(thrown);
  if (status === 401 || status === 400) throw thrown;
  if (status === 429) await pause(retryAfter * 1000, signal);
}

interface Frame {
  readonly id: string | undefined;
  readonly event: LiveEvent | undefined;
}

async function* framesOf(response: Response): AsyncGenerator<Frame> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const piece = await reader?.read().catch(() => undefined);
    if (piece === undefined || piece.done) return;
    text += piece.value;
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      const event = data === undefined ? undefined : (JSON.parse(data) as LiveEvent);
      yield { id: /^id: (.*)$/m.exec(frame)?.[1], event };
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
