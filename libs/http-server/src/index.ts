export { closeAfterEarlyAnswer, isWhole } from './early-answers.ts';
export { Expirations } from './expirations.ts';
export { HeldBodies } from './held-bodies.ts';
export type { HeldBody, HeldBodyLimits } from './held-bodies.ts';
export { nodeTimes, OpenConnections, SERVER_TIMES } from './open-connections.ts';
export { answerUnreadable, refuseExpectations } from './unreadable-requests.ts';
export type { ServerTimes } from './open-connections.ts';
