/** What takes time and is no booking of a client: blocked time, leave, and the busy time of other calendars. */
export { blockTime, moveBlockedTime, type TimeToBlock, unblockTime } from './blocked-time.ts'
export { type ExternalTime, syncExternal } from './external-time.ts'
export { type LeaveAsked, leaveHits, type LeaveSet, removeLeave, setLeave } from './leave.ts'
export type { BlockedTime, Stretch, Subject, Taken } from './store.ts'
