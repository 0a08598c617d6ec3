export { dearestChart } from './dearest-chart.ts';
export { STUDY_PAGE_POLICY, studyPage } from './study-page.ts';
export { costChangeText, growingFields, growthName, ratioText, refusedFrom, timeChangeText } from './study-words.ts';
export { againstText, unusableDefinitions } from './unusable-definitions.ts';
