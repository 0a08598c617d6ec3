/** Metrics of one process in the text format of Prometheus. */
export interface ProcessScrape {
  /** Number of the process, which distinguishes it from the other processes that serve the same port. */
  readonly process: number;
  readonly text: string;
}

/** Metric with the samples of all processes. */
interface Family {
  /** HELP, TYPE and UNIT lines, taken from the first process that has the metric. */
  readonly comments: string[];
  readonly samples: string[];
}

const COMMENT = /^# (?:HELP|TYPE|UNIT) (\S+)/;
const SAMPLE = /^([\w:]+)(\{)?(.*)$/;

/**
 * Merges the metrics of several processes into one scrape. Each series gets a label `process` with the number of its process; a replacement
 * process keeps the number. The values are not summed, because a replaced process counts from zero again. Prometheus detects such a reset
 * in a single series but not in a sum.
 */
export function mergeScrapes(scrapes: readonly ProcessScrape[]): string {
  const families = new Map<string, Family>();
  for (const { process, text } of scrapes) {
    let family: Family = { comments: [], samples: [] };
    const described = new Set<string>();
    for (const line of text.split('\n')) {
      const name = COMMENT.exec(line)?.[1];
      if (name === undefined) {
        if (line !== '' && !line.startsWith('#')) family.samples.push(labelled(line, process));
        continue;
      }
      const known = families.get(name);
      family = known ?? { comments: [], samples: [] };
      families.set(name, family);
      if (known === undefined || described.has(name)) {
        described.add(name);
        family.comments.push(line);
      }
    }
  }
  return [...families.values()].flatMap(({ comments, samples }) => [...comments, ...samples, '']).join('\n');
}

function labelled(sample: string, process: number): string {
  const [, name = '', open, rest = ''] = SAMPLE.exec(sample) ?? [];
  const label = `process="${process}"`;
  if (open === undefined) return `${name}{${label}}${rest}`;
  return rest.startsWith('}') ? `${name}{${label}${rest}` : `${name}{${label},${rest}`;
}
