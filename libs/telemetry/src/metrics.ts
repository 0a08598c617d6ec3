import type { Meter, ObservableGauge } from '@opentelemetry/api';
import { Counter, Histogram } from './tallies.ts';

/**
 * Creates all counters of the service. In a scrape, their names begin with `assay_`. No label contains user text: no flow, no key, no
 * definition.
 */
const newCounters = () => ({
  objects: new Counter('objects', 'Objects by outcome', ['outcome']),
  evaluations: new Counter('evaluations', 'Evaluations that were accepted, and their ends: complete, cancelled, lost or tooLarge', ['end']),
  celCost: new Counter('cel_cost_units', 'CEL cost units of all judged objects'),
  engineRestarts: new Counter('engine_restarts', 'Engine hosts replaced after a crash'),
  quarantinedWork: new Counter(
    'engine_quarantined_work',
    'Tasks that ran in quarantine: they or their neighbours broke a thread or a host, or their flow kept a thread that did not end',
  ),
  stuckThreads: new Counter('engine_stuck_threads', 'Threads that did not end when asked; their host was killed'),
  dispatchedChunks: new Counter('flow_control_dispatched_chunks', 'Chunks given to a seat, by priority level', ['level']),
  chunksRequeued: new Counter(
    'flow_control_set_back_chunks',
    'Chunks stopped on a borrowed seat for the sake of other flows, and given back to the queue, by priority level',
    ['level'],
  ),
  takenOverWork: new Counter(
    'taken_over_work',
    'Evaluations and studies that this process continued or began again because another process left them unfinished, by kind',
    ['kind'],
  ),
  offeredWork: new Counter(
    'offered_work',
    'Tasks that nodes offered to each other, by kind (runs, cells) and end: answered or returned to this node, or performed by it for another',
    ['kind', 'end'],
  ),
  rejected: new Counter(
    'flow_control_rejected_evaluations',
    'Evaluations refused with a 429, by priority level and reason: which bound was reached',
    ['level', 'reason'],
  ),
  dispatchedWork: new Counter(
    'flow_control_dispatched_work',
    'Tasks that are not chunks (of /definitions, /explain, /advise, /matrix, /what-if, and definitions of evaluations) given to the engine, by priority level',
    ['level'],
  ),
  studiesEnded: new Counter('studies_ended', 'Studies that ended, by end: complete, cancelled or failed', ['end']),
  studyCells: new Counter('study_cells', 'Tasks of studies (/benchmarks), by kind', ['kind']),
  studyCellsDisturbed: new Counter('study_cells_disturbed', 'Tasks of studies whose times other work of the machine disturbed'),
  studyThreadSeconds: new Counter('study_thread_seconds', 'Time that the work of studies occupied threads, seconds'),
  rejectedRequests: new Counter(
    'flow_control_rejected_requests',
    'Requests to /definitions, /explain, /advise, /matrix, /what-if and /benchmarks refused with a 429, by priority level and reason: which bound was reached',
    ['level', 'reason'],
  ),
});

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const inSeconds = <Label extends string = never>(name: string, description: string, labels: readonly Label[] = []): Histogram<Label> =>
  new Histogram(name, description, { unit: 'seconds', bounds: SECONDS, labels });

/** Creates all histograms of the service. Their values are in seconds. */
const newHistograms = () => ({
  requestSeconds: inSeconds('http_request_duration_seconds', 'Requests from their headers to the end of the answer', [
    'method',
    'route',
    'code',
  ]),
  chunkSeconds: inSeconds('chunk_duration_seconds', 'A chunk on its seat'),
  celSeconds: inSeconds('cel_evaluation_duration_seconds', 'CEL phase of a chunk'),
  definitionSeconds: inSeconds(
    'definition_compile_duration_seconds',
    'Compiling and judging an unknown definition, with the wait for a thread',
  ),
  evaluationSeconds: inSeconds('evaluation_duration_seconds', 'A synchronous evaluation, from its acceptance to its last verdict'),
  waitSeconds: inSeconds('flow_control_wait_duration_seconds', 'A chunk from its queue to its seat, by priority level', ['level']),
  workWaitSeconds: inSeconds(
    'flow_control_work_wait_duration_seconds',
    'A task that is not a chunk, from its queue to the engine, by priority level',
    ['level'],
  ),
});

const QUEUE_GAUGES = {
  queue_waiting: 'Chunks that wait in this process',
  queue_waiting_bytes: 'Bytes of chunks that wait in this process',
  queue_result_bytes: 'Bytes of results of asynchronous evaluations that are kept; the same from every process',
  flow_control_seats: 'Chunks that this process runs at a time',
  shared_queue_waiting:
    'Parts of asynchronous evaluations in Redis that have no result; the same from every process, and absent without Redis',
  shared_queue_seats: 'Chunks that all processes of the fleet together run at a time; absent without Redis',
  storage_up: 'State of the storage of asynchronous evaluations: 1 if it answers and accepts writes, else 0',
} as const;
const ENGINE_GAUGES = {
  engine_threads: 'Threads of this process that judge',
  engine_running: 'Tasks on threads of this process',
  engine_waiting: 'Tasks that wait for a thread of this process',
} as const;

/**
 * Queue gauges of a process at the time of a metrics scrape. The gauges in `plain` have no labels. Such a gauge is undefined if the storage
 * that it describes does not respond or does not exist.
 */
export interface QueueGauges {
  readonly plain: Readonly<Record<keyof typeof QUEUE_GAUGES, number | undefined>>;
  /** Numbers of waiting chunks and of running chunks, by priority level. */
  readonly levels: Readonly<Record<string, LevelGauges>>;
}

/** Numbers of waiting and of running work items of one priority level. */
export interface LevelGauges {
  readonly waiting: number;
  readonly running: number;
}

/** Metrics of one process. This class keeps the values of counters and histograms, and a meter reads the gauges at each scrape. */
export class Metrics {
  readonly counters = newCounters();
  readonly histograms = newHistograms();
  readonly #meter: Meter;

  constructor(meter: Meter) {
    this.#meter = meter;
    // Creates these counters at the start. Otherwise, a rate over a counter would miss its first event.
    this.counters.engineRestarts.add(0);
    this.counters.quarantinedWork.add(0);
    this.counters.stuckThreads.add(0);
    this.counters.celCost.add(0);
    this.counters.studyThreadSeconds.add(0);
    this.counters.studyCellsDisturbed.add(0);
    for (const end of ['complete', 'cancelled', 'failed']) this.counters.studiesEnded.add(0, { end });
    for (const kind of ['evaluation', 'study']) this.counters.takenOverWork.add(0, { kind });
    for (const end of ['accepted', 'complete', 'cancelled', 'lost', 'tooLarge']) this.counters.evaluations.add(0, { end });
    for (const outcome of ['accepted', 'rejected', 'notEvaluated', 'cancelled']) this.counters.objects.add(0, { outcome });
  }

  /** Registers the gauges of the queue of chunks, which are read at each scrape. A scrape omits a gauge if its storage does not respond. */
  observeQueue(read: () => Promise<QueueGauges>): void {
    const plain = this.#gauges(QUEUE_GAUGES);
    const queued = this.#gauge('flow_control_queued_chunks', 'Chunks that wait, by priority level');
    const inUse = this.#gauge('flow_control_seats_in_use', 'Chunks that run, by priority level');
    this.#meter.addBatchObservableCallback(
      async (result) => {
        const values = await read();
        for (const [name, gauge] of plain) {
          const value = values.plain[name];
          if (value !== undefined) result.observe(gauge, value);
        }
        for (const [level, { waiting, running }] of Object.entries(values.levels)) {
          result.observe(queued, waiting, { level });
          result.observe(inUse, running, { level });
        }
      },
      [...plain.map(([, gauge]) => gauge), queued, inUse],
    );
  }

  /**
   * Registers gauges of the work in this process's admission queue, by priority level. This work does not include chunks. The gauges are
   * read at each scrape.
   */
  observeRequests(read: () => Readonly<Record<string, LevelGauges>>): void {
    const queued = this.#gauge(
      'flow_control_queued_work',
      'Tasks that are not chunks and wait for the engine of this process, by priority level',
    );
    const running = this.#gauge(
      'flow_control_running_work',
      'Tasks that are not chunks and that the engine of this process has, by priority level',
    );
    this.#meter.addBatchObservableCallback(
      (result) => {
        for (const [level, gauges] of Object.entries(read())) {
          result.observe(queued, gauges.waiting, { level });
          result.observe(running, gauges.running, { level });
        }
      },
      [queued, running],
    );
  }

  /** Registers the gauge of the number of studies by state, which is read at each scrape. */
  observeStudies(read: () => Promise<Readonly<Record<string, number | undefined>>>): void {
    const studies = this.#gauge(
      'studies',
      'Studies that this process performs (running), and all that have not ended (unfinished), by state',
    );
    studies.addCallback(async (result) => {
      for (const [state, count] of Object.entries(await read())) if (count !== undefined) result.observe(count, { state });
    });
  }

  /** Registers gauges of this process's engine, which are read at each scrape. */
  observeEngine(read: () => Readonly<Record<keyof typeof ENGINE_GAUGES, number>>): void {
    const gauges = this.#gauges(ENGINE_GAUGES);
    this.#meter.addBatchObservableCallback(
      (result) => {
        const values = read();
        for (const [name, gauge] of gauges) result.observe(gauge, values[name]);
      },
      gauges.map(([, gauge]) => gauge),
    );
  }

  #gauges<Name extends string>(descriptions: Readonly<Record<Name, string>>) {
    const names = Object.keys(descriptions) as Name[];
    return names.map((name) => [name, this.#gauge(name, descriptions[name])] as const);
  }

  #gauge(name: string, description: string): ObservableGauge {
    return this.#meter.createObservableGauge(name, { description });
  }
}
