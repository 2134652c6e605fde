/**
 * Measures a server from inside. It is loaded next to the program, and answers each message with the longest turn of
 * the event loop since the last message.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const turns = monitorEventLoopDelay({ resolution: 1 });
turns.enable();
process.on('message', () => {
  const longestMs = turns.max / 1e6;
  turns.reset();
  process.send({ longestMs });
});
// A server that ends must not be kept by its parent.
process.channel.unref();
