import { cpuOf, worksOf } from './figures.ts';

// Measures one revision for `measure-revision.ts`, which asks for figures by name: `node figure-process.js <folder>`. Answers µs of CPU, or null.
const works = await worksOf(process.argv[2] ?? '');
process.on('message', (figure: string) => {
  const work = works.get(figure);
  process.send?.(work === undefined ? null : cpuOf(work));
});
process.send?.('ready');
