import {
  assertGuardable,
  assertToolGuard,
  type GuardToolsOptions,
  IdentityError,
  type ToolGuard,
} from '../../../src/guard/index.ts';
import { knownOptions, type OptionNames } from '../../../src/ports/index.ts';
import { guardedTransport, type Transport } from './guarded-transport.ts';

/** The options of `guardServer`. */
export interface GuardServerOptions extends GuardToolsOptions {
  /**
   * `true` leaves a tool out of `tools/list` if the passport denies its action for all arguments. A call of such a tool
   * is answered like a call of an unknown tool. Without a verdict, the answer to `tools/list` is an error.
   */
  readonly hideDenied?: boolean;
}

const OPTIONS: OptionNames<GuardServerOptions> = { partial: true, pause: true, hideDenied: true };

type Connect = (transport: Transport) => unknown;

/**
 * Returns the server with a guard. Its tools run only on ALLOW, even tools that are registered later. The guard
 * evaluates the arguments as they arrive, before a schema adds defaults. `connect` throws `invalid_configuration` if a
 * tool mapping names a tool that is not registered by then.
 *
 * @throws {IdentityError} `invalid_configuration` as `assertToolGuard` of `./guard`.
 */
export function guardServer<Server extends object>(
  server: Server,
  guard: ToolGuard,
  givenOptions: GuardServerOptions = {},
): Server {
  const { hideDenied: isHiding = false, ...options } = knownOptions('guardServer', givenOptions, OPTIONS);
  if (typeof isHiding !== 'boolean') throw unfit('hideDenied must be true or false.');
  assertToolGuard(guard, options);
  const { _registeredTools: registeredFields } = server as { readonly _registeredTools?: object };

  function viewOf<Part extends object>(part: Part): Part {
    return new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        // HTTP servers connect the inner server.
        if (name === 'server' && typeof value === 'object' && value !== null) return viewOf(value);
        if (typeof value !== 'function') return value;
        if (name !== 'connect') return value.bind(target);
        return async (transport: Transport) => {
          assertGuardable(
            guard,
            new Map(Object.keys(registeredFields ?? {}).map((tool) => [tool, true])),
            options,
          );
          return (value as Connect).call(target, guardedTransport(transport, guard, isHiding));
        };
      },
      // Refuses a transport that a method of the class sets on this view: its messages would not be evaluated.
      set(target, name, value) {
        if (typeof Object(value).send === 'function') throw unguarded();
        return Reflect.set(target, name, value);
      },
    });
  }

  return viewOf(server);
}

function unguarded(): IdentityError {
  return unfit('Connect a guarded server by its own connect.');
}

function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}
