/** Makes endpoints from the rows of a table of operations. */
import { type Operation, type OperationTable, optionsPlace } from '../operations/operation.ts';
import type { IdentityService, SessionCaller } from '../service.ts';
import type { VerbName } from './api-host.ts';
import { type Call, type Endpoint, endpoint } from './endpoint.ts';
import { pageOf, pageParameters } from './page-query.ts';

type Method = (...input: readonly unknown[]) => Promise<unknown>;

/** Returns the endpoints of a table. A service serves them where it lists the capability of the table. */
export function endpointsOf(table: OperationTable): readonly Endpoint[] {
  return Object.entries(table.operations).map(([name, operation]) => fromOperation(table, name, operation));
}

function fromOperation(table: OperationTable, name: string, operation: Operation): Endpoint {
  const [method, path] = operation.http.split(' ') as [Endpoint['method'], string];
  const { room, tag } = table;
  const { summary, roles, scope, body, isBodyOptional, query, status, answer, returns } = operation;
  const { errors, counts, limit, isPatient, isAbortable } = operation;
  const isPage = query === 'page';
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter ?? '');
  const isEmpty = status === 204;

  async function answerOf({ service, caller, params, query, body, signal }: Call<'session'>) {
    const methods = Object(service[room as keyof IdentityService]) as Readonly<Record<string, Method>>;
    const input = [
      ...parameters.map((parameter) => params[parameter] ?? ''),
      ...(isPage ? [pageOf(query)] : []),
      ...(operation.body === undefined ? [] : [body]),
    ];
    const options = isAbortable ? Object.assign({ signal: signal() }, caller) : caller;
    const result = await methods[name]?.(...input.slice(0, optionsPlace(operation)), options);
    return isEmpty ? {} : { body: result };
  }

  async function handle(call: Call<'session'>) {
    if (limit === undefined) return answerOf(call);
    const end = call.service.serving.limits[limit]?.(call.caller as SessionCaller, call.body);
    try {
      return await answerOf(call);
    } finally {
      end?.();
    }
  }

  return endpoint({
    method,
    path,
    verb: room as VerbName,
    tag,
    summary,
    credential: scope === undefined ? 'session' : 'either',
    role: roles,
    needs: ({ serving }) => serving.tables.includes(table),
    success:
      answer === undefined
        ? { status, description: returns }
        : { status, description: returns, schema: answer },
    handle,
    ...(scope !== undefined && { scope }),
    ...(counts === 'write' && { writes: true }),
    ...(body !== undefined && { body: { schema: body, ...(isBodyOptional && { optional: true }) } }),
    ...(isPage && { query: pageParameters }),
    ...(isPatient && { patient: true }),
    ...(errors !== undefined && { errors }),
  } as Endpoint<'session'>);
}
