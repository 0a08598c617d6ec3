import type { FastifyRequest } from 'fastify';

/** Store for one value per request. The value is stored in the request object and lives as long as the request. */
export class RequestValue<Value> {
  readonly #key: symbol;

  /** Creates a store for one value per request. `name` is a label that is visible in a debugger. */
  constructor(name: string) {
    this.#key = Symbol(name);
  }

  /** Returns the value for a request; undefined if none was set. */
  get(request: FastifyRequest): Value | undefined {
    return (request as unknown as Readonly<Record<symbol, Value | undefined>>)[this.#key];
  }

  set(request: FastifyRequest, value: Value): void {
    (request as unknown as Record<symbol, Value>)[this.#key] = value;
  }
}
