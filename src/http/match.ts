import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

/** An endpoint with a matching path, and the parameters of the path. */
export interface EndpointMatch {
  readonly found: 'endpoint';
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

export type Match =
  | EndpointMatch
  | { readonly found: 'path'; readonly allow: string; readonly errorsAs: 'text' | undefined }
  | { readonly found: 'nothing' };

export type Matcher = (method: string, path: string) => Match;

/**
 * Creates a function that finds the endpoint of a path. Fixed paths are looked up in a map, and paths with parameters
 * are compared by segment.
 */
export function createMatcher(endpoints: readonly Endpoint[]): Matcher {
  const fixedEndpoints = new Map<string, Map<string, Endpoint>>();
  for (const endpoint of endpoints) {
    const byMethod = fixedEndpoints.get(endpoint.path) ?? new Map<string, Endpoint>();
    fixedEndpoints.set(endpoint.path, byMethod.set(endpoint.method, endpoint));
    // A path that answers GET answers HEAD as well (RFC 9110 section 9.1).
    if (endpoint.method === 'GET') byMethod.set('HEAD', endpoint);
  }
  const templates = [...fixedEndpoints]
    .filter(([path]) => path.includes('{'))
    .map(([path, byMethod]) => ({
      segments: path.split('/'),
      takesRest: [...byMethod.values()].some(isOfRest),
      byMethod,
    }));

  return (method, path) => {
    const byMethod = path.includes('{') ? undefined : fixedEndpoints.get(path);
    if (byMethod !== undefined) return pick(byMethod, method, {});
    const segments = path.split('/');
    for (const template of templates) {
      const params = readParams(template, segments);
      if (params !== undefined) return pick(template.byMethod, method, params);
    }
    return { found: 'nothing' };
  };
}

/**
 * Returns the path template that this path matches, such as `/keys/{id}`. Returns `undefined` if no endpoint matches.
 */
export function endpointAt(path: string): string | undefined {
  return templateIn(endpoints, path);
}

/**
 * Returns the path template among these endpoints that the path matches. Returns `undefined` if no endpoint matches.
 */
export function templateIn(endpoints: readonly Endpoint[], path: string): string | undefined {
  const segments = path.split('/');
  return endpoints.find((endpoint) => {
    const template = { segments: endpoint.path.split('/'), takesRest: isOfRest(endpoint) };
    return readParams(template, segments) !== undefined;
  })?.path;
}

function pick(
  byMethod: ReadonlyMap<string, Endpoint>,
  method: string,
  params: Readonly<Record<string, string>>,
): Match {
  const endpoint = byMethod.get(method);
  if (endpoint !== undefined) return { found: 'endpoint', endpoint, params };
  const isText = [...byMethod.values()].some((otherEndpoint) => otherEndpoint.errorsAs === 'text');
  return { found: 'path', allow: [...byMethod.keys()].join(', '), errorsAs: isText ? 'text' : undefined };
}

function isOfRest({ takesRest = false }: Endpoint): boolean {
  return takesRest;
}

interface Template {
  readonly segments: readonly string[];
  readonly takesRest: boolean;
}

function readParams(
  { segments: template, takesRest }: Template,
  segments: readonly string[],
): Record<string, string> | undefined {
  const last = template.length - 1;
  const isLong = takesRest && segments.length > last;
  const parts = isLong ? [...segments.slice(0, last), segments.slice(last).join('/')] : segments;
  if (parts.length !== template.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expectedText] of template.entries()) {
    const actual = parts[index];
    if (!expectedText.startsWith('{')) {
      if (expectedText !== actual) return undefined;
      continue;
    }
    if (!actual) return undefined;
    params[expectedText.slice(1, -1)] = isLong && index === last ? actual : decodeOnce(actual);
  }
  return params;
}

/** Decodes a segment once. Returns the segment unchanged if it cannot be decoded; such a segment matches no id. */
function decodeOnce(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
