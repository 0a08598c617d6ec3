/** Metric as it appears in a scrape. */
export interface ScrapedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly unit: string | undefined;
  /** Names of the series of the metric. For a histogram, these include `_bucket`, `_sum` and `_count`. */
  readonly series: ReadonlySet<string>;
  /** Values of each label, by the name of the label. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Parses the text format of Prometheus. Throws if a line is invalid. */
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
