import { expect, it } from 'vitest';
import { readScrape } from '../../test/scrape.ts';
import { mergeScrapes } from './serving-processes.ts';

const of = (objects: number): string => `# HELP assay_objects_total Objects by outcome
# TYPE assay_objects_total counter
assay_objects_total{outcome="accepted"} ${objects}
assay_objects_total{outcome="rejected"} 0

# HELP assay_chunk_duration_seconds A chunk on its seat
# UNIT assay_chunk_duration_seconds seconds
# TYPE assay_chunk_duration_seconds histogram
assay_chunk_duration_seconds_count ${objects}
assay_chunk_duration_seconds_bucket{le="+Inf"} ${objects}

# HELP process_resident_memory_bytes Memory
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes 5
`;

it('in the metrics of several processes, each series has a process label, and each metric has one description', () => {
  const text = mergeScrapes([
    { process: 1, text: of(3) },
    { process: 2, text: of(4) },
  ]);
  expect(text.split('\n').filter((line) => line.startsWith('# TYPE'))).toHaveLength(3);
  expect(text.match(/^# HELP assay_objects_total/gm)).toHaveLength(1);
  for (const line of [
    'assay_objects_total{process="1",outcome="accepted"} 3',
    'assay_objects_total{process="2",outcome="accepted"} 4',
    'assay_chunk_duration_seconds_count{process="2"} 4',
    'process_resident_memory_bytes{process="1"} 5',
  ])
    expect(text.split('\n')).toContain(line);
  const metrics = readScrape(text);
  expect([...metrics.keys()]).toEqual(['assay_objects_total', 'assay_chunk_duration_seconds', 'process_resident_memory_bytes']);
  expect(metrics.get('assay_chunk_duration_seconds')?.unit).toBe('seconds');
  for (const { labels } of metrics.values()) expect([...(labels.get('process') ?? [])]).toEqual(['1', '2']);
});

it('the metrics of several processes include a metric of only one of them', () => {
  const one = '# HELP a_total A\n# TYPE a_total counter\na_total 1\n';
  const two = '# HELP b_total B\n# TYPE b_total counter\nb_total{x="}"} 2\n';
  expect(
    mergeScrapes([
      { process: 1, text: one },
      { process: 2, text: one + two },
    ]).split('\n'),
  ).toEqual([
    '# HELP a_total A',
    '# TYPE a_total counter',
    'a_total{process="1"} 1',
    'a_total{process="2"} 1',
    '',
    '# HELP b_total B',
    '# TYPE b_total counter',
    'b_total{process="2",x="}"} 2',
    '',
  ]);
});
