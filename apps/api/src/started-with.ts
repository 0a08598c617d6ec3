import { redisAddressText } from '#jobs/redis';
import { traceEndpoint } from '#telemetry';
import type { ApiConfig } from './config.ts';

/** Other software that a process works with. No text contains a user or a password. */
export interface StartedWith {
  /** Address of the Redis over which the process shares work; undefined without Redis. */
  readonly redis: string | undefined;
  /** Endpoint to which traces go, or `off`. */
  readonly traces: string;
}

/** Returns the other software that a process works with, for its log and its terminal. */
export function startedWith({ redis }: Pick<ApiConfig, 'redis'>, variables: NodeJS.ProcessEnv = process.env): StartedWith {
  const endpoint = traceEndpoint(variables);
  return { redis: redis && redisAddressText(redis), traces: endpoint === undefined ? 'off' : withoutSecrets(endpoint) };
}

/** Returns a URL without user, password and query. Returns `an endpoint that is no URL` for any other text. */
function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return 'an endpoint that is no URL';
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`;
}
