/** The metrics of one process, in Prometheus' text format. */
export interface ProcessScrape {
  /** The number of the process. */
  readonly process: number;
  readonly text: string;
}

/** A metric of all processes. */
interface Family {
  /** HELP, TYPE and UNIT, as the first process says. */
  readonly comments: string[];
  readonly samples: string[];
}

const COMMENT = /^# (?:HELP|TYPE|UNIT) (\S+)/;
const SAMPLE = /^([\w:]+)(\{)?(.*)$/;

/**
 * Metrics of several processes as one scrape: each series has a label `process` with the number of its process, which a replacement keeps. They are not
 * summed: a process that was replaced counts from zero, which Prometheus sees of a series and not of a sum.
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
