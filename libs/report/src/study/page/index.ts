export { dearestChart } from './dearest-chart.ts';
export { STUDY_PAGE_POLICY, studyPage } from './study-page.ts';
