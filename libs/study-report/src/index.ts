export { readStudyReport } from './read-report.ts';
export { costChangeText, growingFields, growthName, ratioText, refusedFrom, timeChangeText } from './study-words.ts';
export { againstText, unusableDefinitions } from './unusable-definitions.ts';
