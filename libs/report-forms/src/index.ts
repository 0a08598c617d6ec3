export { junitXml } from './junit.ts';
export type { JunitCase, JunitSuite } from './junit.ts';
export { sarifLog } from './sarif.ts';
export type { SarifRegion, SarifResult } from './sarif.ts';
export { workflowCommand } from './workflow-command.ts';
export type { Annotation } from './workflow-command.ts';
