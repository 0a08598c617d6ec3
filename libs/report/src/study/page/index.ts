export { costliestChart } from './study-charts.ts';
export { policyPage } from './policy-page.ts';
export { STUDY_PAGE_POLICY, studyPage } from './study-page.ts';
