/** A metric as a scrape shows it. */
export interface ScrapedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly unit: string | undefined;
  /** Names of its series: of a histogram also `_bucket`, `_sum` and `_count`. */
  readonly series: ReadonlySet<string>;
  /** Values of every label, by the label's name. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads Prometheus' text format; throws at a line that is none. */
export function readScrape(text: string): ReadonlyMap<string, ScrapedMetric> {
  const metrics = new Map<
    string,
    { name: string; type: string; help: string; unit: string | undefined; series: Set<string>; labels: Map<string, Set<string>> }
  >();
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const comment = /^# (HELP|TYPE|UNIT) (\S+) (.*)$/.exec(line);
    if (comment) {
      const [, kind, name = '', words = ''] = comment;
      const metric = metrics.get(name) ?? { name, type: '', help: '', unit: undefined, series: new Set(), labels: new Map() };
      metrics.set(name, metric);
      if (kind === 'HELP') metric.help = words;
      else if (kind === 'TYPE') metric.type = words;
      else metric.unit = words;
      continue;
    }
    const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line);
    if (!sample?.[1]) throw new Error(`not a line of a scrape: ${line}`);
    const [, series, labels = ''] = sample;
    const metric = metrics.get(series) ?? metrics.get(series.replace(/_(?:bucket|sum|count)$/, ''));
    if (!metric) throw new Error(`a sample without HELP and TYPE: ${line}`);
    metric.series.add(series);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      metric.labels.set(label, (metric.labels.get(label) ?? new Set()).add(value));
  }
  return metrics;
}
