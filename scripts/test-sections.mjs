// Sections of the test run: a reporter for Vitest that prints the result of each section and the total time of its files.
// It writes a line of JSON for each section to file descriptor 3.
import { writeSync } from 'node:fs';
import { relative } from 'node:path';

/** Sections, and the paths of their specs. A spec belongs to the first section that matches. */
const SECTIONS = [
  ['engine libraries', /^libs\/(?:numbers|go|kube|cel|crd|policy|editing|report\/src\/cost-picture)\//],
  ['other libraries', /^libs\//],
  ['API', /^apps\/api\//],
  ['command line and package', /^apps\/(?:cli|library)\//],
  ['page', /^apps\/page\//],
  ['recorded behaviour of Kubernetes', /^conformance\//],
  ['load lab', /^loadtests\//],
  ['documented commands and scripts', /^/],
];

/** Returns the name of the section of a spec, by its path in the project. */
const sectionOf = (path) => SECTIONS.find(([, pattern]) => pattern.test(path))[0];

/** Reporter that writes the result of each section as soon as the section's last file has ended. */
export default class SectionReporter {
  #sections = new Map();

  onTestRunStart(specifications) {
    for (const { moduleId } of specifications) this.#sectionOf(moduleId).open++;
  }

  onTestModuleEnd(module) {
    const section = this.#sectionOf(module.moduleId);
    section.ms += module.diagnostic().duration;
    for (const test of module.children.allTests()) section[test.result().state]++;
    if (module.state() === 'failed' && module.errors().length > 0) section.failed++;
    if (--section.open === 0) writeSync(3, `${JSON.stringify(section)}\n`);
  }

  #sectionOf(moduleId) {
    const name = sectionOf(relative(process.cwd(), moduleId));
    const section = this.#sections.get(name) ?? { name, open: 0, ms: 0, passed: 0, failed: 0, skipped: 0, pending: 0 };
    this.#sections.set(name, section);
    return section;
  }
}
