import { cpuOf, worksOf } from './figures.ts';

// Measures one revision for `measure-revision.ts`, which requests figures by name: `node figure-process.js <folder>`. Sends µs of CPU time,
// or null.
const works = await worksOf(process.argv[2] ?? '');
process.on('message', (figure: string) => {
  const work = works.get(figure);
  process.send?.(work === undefined ? null : cpuOf(work));
});
process.send?.('ready');
