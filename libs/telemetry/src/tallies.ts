/** Values of the labels of one series, by label name. */
export type MetricLabels<Name extends string> = Readonly<Record<Name, string | number>>;

/** Count of a metric under one set of labels, in this process. */
export interface TalliedSeries<Value> {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: Value;
}

/** Series of a metric, indexed by the values of their labels. */
class SeriesByLabels<Name extends string, Value> {
  readonly #names: readonly Name[];
  readonly #zero: () => Value;
  readonly #series = new Map<string | number, TalliedSeries<Value>>();

  constructor(names: readonly Name[], zero: () => Value) {
    this.#names = names;
    this.#zero = zero;
  }

  /** Returns the value of the series with these labels. On first use, creates the series with a zero value. */
  of(labels: MetricLabels<Name>): Value {
    const key = this.#keyOf(labels);
    const known = this.#series.get(key);
    if (known) return known.value;
    const series = { labels: { ...labels }, value: this.#zero() };
    this.#series.set(key, series);
    return series.value;
  }

  get all(): Iterable<TalliedSeries<Value>> {
    return this.#series.values();
  }

  /** Returns the key of a set of labels. Label values are fixed words or status codes, so they never contain the separator. */
  #keyOf(labels: MetricLabels<Name>): string | number {
    const names = this.#names;
    const [first] = names;
    if (first === undefined) return '';
    let key = labels[first];
    for (let i = 1; i < names.length; i++) key = `${key}\n${labels[names[i] as Name]}`;
    return key;
  }
}

/** Counter that only increases, with one value for each set of labels. */
export class Counter<Name extends string = never> {
  readonly name: string;
  readonly description: string;
  readonly #series: SeriesByLabels<Name, { sum: number }>;

  constructor(name: string, description: string, labels: readonly Name[] = []) {
    this.name = name;
    this.description = description;
    this.#series = new SeriesByLabels(labels, () => ({ sum: 0 }));
  }

  add(count: number, ...[labels]: [Name] extends [never] ? [] : [labels: MetricLabels<Name>]): void {
    this.#series.of((labels ?? {}) as MetricLabels<Name>).sum += count;
  }

  get series(): Iterable<TalliedSeries<{ readonly sum: number }>> {
    return this.#series.all;
  }
}

/** Values of one series of a histogram. The last element of `counts` counts the values above the highest bound. */
export interface Distribution {
  readonly counts: number[];
  count: number;
  sum: number;
}

/** Histogram that counts values in buckets, for each set of labels. */
export class Histogram<Name extends string = never> {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  /** Highest value that each bucket counts, in ascending order. */
  readonly bounds: readonly number[];
  readonly #series: SeriesByLabels<Name, Distribution>;

  constructor(
    name: string,
    description: string,
    { unit, bounds, labels = [] }: { unit: string; bounds: readonly number[]; labels?: readonly Name[] },
  ) {
    this.name = name;
    this.description = description;
    this.unit = unit;
    this.bounds = bounds;
    this.#series = new SeriesByLabels(labels, () => ({ counts: Array.from({ length: bounds.length + 1 }, () => 0), count: 0, sum: 0 }));
  }

  record(value: number, ...[labels]: [Name] extends [never] ? [] : [labels: MetricLabels<Name>]): void {
    const distribution = this.#series.of((labels ?? {}) as MetricLabels<Name>);
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
    distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
    distribution.count++;
    distribution.sum += value;
  }

  get series(): Iterable<TalliedSeries<Readonly<Distribution>>> {
    return this.#series.all;
  }
}
