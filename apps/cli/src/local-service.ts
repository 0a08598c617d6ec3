import { DEFAULT_QUEUE_LIMITS, EmbeddedQueue } from '#queue';
import type { Flow, QueueAdapter } from '#queue';
import type { EngineHost } from '#runner';
import { BatchEvaluation, ChunkConsumer, DefinitionJudge, Dispatcher, ownEngine, Refusals } from '#service';
import type { Caller, ServicePorts } from '#service';
import { logOnly } from '#telemetry';

/** The command line has no deadline: this is the longest that a timer can wait, ms. */
const NO_DEADLINE_MS = 2_000_000_000;
const UNBOUNDED = { evaluations: Infinity, chunks: Infinity, bytes: Infinity, resultBytes: Infinity, definitionBytes: Infinity } as const;
const FLOW: Flow = { level: 'exempt', name: 'command line', division: '', weight: 1, limits: UNBOUNDED };

/** The use cases of a service, in this process and for one user: nothing is refused for lack of room, and nothing outlives the process. */
export class LocalService {
  readonly evaluations: BatchEvaluation;
  /** The user of the command line. */
  readonly caller: Caller;
  readonly #queue: QueueAdapter;
  readonly #dispatcher: Dispatcher;

  constructor(host: EngineHost) {
    const telemetry = logOnly();
    const refusals = new Refusals(telemetry);
    const limits = { ...DEFAULT_QUEUE_LIMITS, waitingBytes: Infinity, evaluations: Infinity, definitionBytes: Infinity };
    const dispatcher = new Dispatcher({ engine: host, limits, refusals, telemetry });
    const queue = new EmbeddedQueue(':memory:', limits, { shared: { fair: dispatcher.fair, onQueued: () => dispatcher.dispatch() } });
    dispatcher.serve(queue.work, new ChunkConsumer(queue, host, telemetry));
    const ports: ServicePorts = {
      queue,
      telemetry,
      limits: { deadlineMs: NO_DEADLINE_MS, maxDeadlineMs: NO_DEADLINE_MS, maxDefinitions: Infinity, sameNames: 'judged' },
    };
    this.evaluations = new BatchEvaluation(ports, new DefinitionJudge(ports, refusals), refusals);
    this.caller = {
      owner: undefined,
      flow: FLOW,
      limits: { allowUnlimited: true, maxEvaluationCost: Infinity },
      engine: ownEngine(host),
      span: undefined,
      signal: new AbortController().signal,
    };
    this.#queue = queue;
    this.#dispatcher = dispatcher;
  }

  /** Ends it; nothing is being evaluated. */
  async close(): Promise<void> {
    await this.#dispatcher.end();
    await this.#queue.close();
  }
}
