import type { FastifyRequest } from 'fastify';

/** Something that is known of requests: it lies with each of them, and goes with it. */
export class RequestValue<Value> {
  readonly #key: symbol;

  /** `name`: for whoever looks at a request in a debugger. */
  constructor(name: string) {
    this.#key = Symbol(name);
  }

  /** Undefined where nothing was set. */
  get(request: FastifyRequest): Value | undefined {
    return (request as unknown as Readonly<Record<symbol, Value | undefined>>)[this.#key];
  }

  set(request: FastifyRequest, value: Value): void {
    (request as unknown as Record<symbol, Value>)[this.#key] = value;
  }
}
